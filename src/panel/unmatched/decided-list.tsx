import { useTranslations } from 'next-intl';
import { Amount } from '#panel/money/amount.tsx';
import { CodeLine } from '#panel/shell/code-line.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import type { DecidedMoney } from './inbox.ts';
import classes from './unmatched-list.module.css';

/** What was decided, by whom and why, the newest first. */
export function DecidedList({ decided }: { decided: readonly DecidedMoney[] }) {
  const t = useTranslations('panel.unmatched');
  const { href } = usePanel();
  const what = ({ outcome, transaction_id: id, end_to_end_id: payment }: DecidedMoney) => (
    <>
      {id === null ? (
        t(`outcomes.${outcome}`)
      ) : (
        <TextLink href={href(`/transacoes/${id}`)} label={t(`outcomes.${outcome}`)} />
      )}
      <CodeLine>{payment}</CodeLine>
    </>
  );
  const why = ({ decided_by: by, reason }: DecidedMoney) =>
    // People give a reason.
    reason === null ? (
      t(by === null ? 'nobody' : 'named')
    ) : (
      <>
        {reason}
        <Muted span display="block" fz="xs">
          {by}
        </Muted>
      </>
    );
  const isOut = ({ outcome }: DecidedMoney) => outcome === 'charged' || outcome === 'written_off';
  return (
    <Section plain title={t('decided')}>
      <DataTable
        label={t('decided')}
        rows={decided}
        keyOf={({ id }) => id}
        title={(name) => t(`columns.${name}`)}
        classes={classes}
        lines={['what amount', 'why why', 'when when']}
        columns={[
          { name: 'what', cell: what, isHead: true, width: 300 },
          { name: 'why', cell: why, width: 'rest' },
          { name: 'when', cell: ({ decided_at: at }) => at && <When at={at} />, width: 152 },
          {
            name: 'amount',
            cell: (one) => <Amount reais={isOut(one) ? -one.amount : one.amount} />,
            isNumeric: true,
            width: 132,
          },
        ]}
      />
    </Section>
  );
}
