import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ListedDispute } from '#contract/disputes/disputes.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import classes from './dispute-table.module.css';
import { useDisputeText } from './use-dispute-text.ts';
import { useTimeLeft } from './use-time-left.ts';

/** Cases in a table, each leading to its page; on a phone a list of two lines each. */
export function DisputeTable(props: { disputes: readonly ListedDispute[]; label: string; ended?: boolean }) {
  const { disputes, label, ended = false } = props;
  const t = useTranslations('panel.disputes');
  const { href } = usePanel();
  return (
    <DataTable
      rows={disputes}
      keyOf={({ dispute_id: id }) => id}
      title={(name) => t(`columns.${name}`)}
      label={label}
      classes={classes}
      lines={['state amount', 'deadline opened']}
      isLink
      columns={[
        {
          name: 'opened',
          cell: ({ dispute_id: id, opened_at: at }) => (
            <RowLink href={href(`/disputas/${id}`)} isName aria-label={t('open', { id })}>
              <When at={at} />
            </RowLink>
          ),
          isHead: true,
        },
        { name: 'state', cell: (dispute) => <State dispute={dispute} /> },
        { name: 'reason', cell: ({ reason }) => t(`reasons.${reason}`) },
        ended
          ? { name: 'closed', cell: ({ closed_at: at }) => at && <When at={at} /> }
          : { name: 'deadline', cell: (dispute) => <Deadline dispute={dispute} /> },
        ended
          ? {
              name: 'returned',
              cell: ({ returned_amount: back }) => <Amount reais={back} size="sm" />,
              isNumeric: true,
            }
          : { name: 'held', cell: ({ held_amount: held }) => <Amount reais={held} size="sm" />, isNumeric: true },
        { name: 'amount', cell: ({ amount }) => <Amount reais={amount} size="sm" />, isNumeric: true },
      ]}
    />
  );
}

function State({ dispute }: { dispute: ListedDispute }) {
  return <StatusBadge {...useDisputeText()(dispute)} />;
}

/** The time that is left for an answer, in words; nothing unless the case waits for one. */
function Deadline({ dispute: { state, answer_by: until } }: { dispute: ListedDispute }) {
  const t = useTranslations('panel.disputes');
  const { ms, text } = useTimeLeft()(until);
  if (state !== 'open') return null;
  return (
    <Text component="span" fz="sm" {...(ms > 0 && { fw: 600 })}>
      {ms > 0 ? t('left', { time: text }) : t('over')}
    </Text>
  );
}
