import { useTranslations } from 'next-intl';
import type { BatchListItem } from '#contract/withdrawals/payout-batches.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { BatchStateBadge } from './batch-state-badge.tsx';
import classes from './batches.module.css';

/** The batches of the account, the newest first. */
export function BatchList({ batches }: { batches: readonly BatchListItem[] }) {
  const t = useTranslations('panel.batches');
  const { href } = usePanel();
  const { instant } = useFormats();
  return (
    <DataTable
      label={t('before')}
      rows={batches}
      keyOf={({ batch_id: id }) => id}
      title={(name) => t(`columns.${name}`)}
      classes={classes}
      lines={['made count amount', 'state state state']}
      columns={[
        {
          name: 'made',
          isHead: true,
          cell: ({ batch_id: id, made_at: at, made_by: by }) => (
            <>
              <TextLink href={href(`/lotes/${id}`)} label={instant(at)} />
              {by !== null && <Muted fz="xs">{by}</Muted>}
            </>
          ),
        },
        { name: 'count', cell: ({ count }) => t('count', { count }) },
        { name: 'amount', isNumeric: true, cell: ({ amount }) => <Amount reais={amount} /> },
        { name: 'state', cell: ({ state }) => <BatchStateBadge state={state} /> },
      ]}
    />
  );
}
