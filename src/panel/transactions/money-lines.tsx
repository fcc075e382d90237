import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { useFeeText } from '../money/use-fee-text.ts';
import { DetailSection, Folded, type Order } from './detail-section.tsx';
import { coinsText, type MoneyLine, moneyLines } from './money-of.ts';
import { Sum } from './sum.tsx';

const LedgerEntries = lazyPart(() => import('./ledger-entries.tsx'), 'LedgerEntries');

/**
 * The money of a transaction: what was paid, the fee, what is left, and the ledger's entries behind
 * it.
 */
export function MoneyLines({ detail, order }: { detail: TransactionDetailView; order: Order }) {
  const t = useTranslations('panel.transactions');
  const feeText = useFeeText();
  const formats = useFormats();
  const { transaction, fee, ledger } = detail;
  const { crypto, currency } = transaction;
  const note = (name: MoneyLine['name']) => {
    if ((name === 'fee' || name === 'expectedFee') && fee) return feeText(fee);
    if (name === 'credited' && crypto && currency) return coinsText(crypto.received_amount, currency, formats);
    return null;
  };
  return (
    <DetailSection title={t('detail.money')} order={order}>
      <Sum
        lines={moneyLines(detail).map(({ name, reais, total }) => ({
          text: (
            <>
              {t(`money.${name}`)}
              {note(name) && <Muted span fz={13}>{` (${note(name)})`}</Muted>}
            </>
          ),
          reais,
          isTotal: total,
        }))}
      />
      {fee === null && transaction.settled.fees > 0 && <Muted fz={13}>{t('money.feeChanged')}</Muted>}
      {transaction.refunds.length > 0 && <Refunds refunds={transaction.refunds} />}
      {ledger.length > 0 && (
        <Folded
          order={order}
          parts={[
            {
              name: 'ledger',
              title: t('ledger.title', { count: ledger.length }),
              content: <LedgerEntries ledger={ledger} />,
            },
          ]}
        />
      )}
    </DetailSection>
  );
}

type Refund = TransactionDetailView['transaction']['refunds'][number];

const TONES = { pending: 'wait', completed: 'ok', failed: 'bad' } as const;

/** Refunds to the payer, done or on their way. */
function Refunds({ refunds }: { refunds: readonly Refund[] }) {
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
