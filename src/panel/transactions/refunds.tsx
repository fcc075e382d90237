import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';

type Refund = TransactionDetailView['transaction']['refunds'][number];

const TONES = { pending: 'wait', completed: 'ok', failed: 'bad' } as const;

/** What was given back to the payer, or is on its way. */
export function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  const t = useTranslations('panel.transactions.refunds');
  const what = ({ created_at: at, description }: Refund) => (
    <>
      {t('one')} · <When at={at} />
      {description && <Muted span fz={13}>{` · ${description}`}</Muted>}
    </>
  );
  return (
    <DataTable
      folds="never"
      label={t('title')}
      rows={refunds}
      keyOf={({ refund_id: id }) => id}
      columns={[
        { name: 'what', cell: what },
        {
          name: 'status',
          cell: ({ status }) => (
            <StatusBadge tone={TONES[status]} label={t(`statuses.${status}`)} hint={t(`hints.${status}`)} />
          ),
        },
        { name: 'amount', cell: ({ amount }) => <Amount reais={-amount} />, isNumeric: true },
      ]}
    />
  );
}
