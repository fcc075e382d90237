import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { useFormats } from '#panel/use-formats.ts';

/** The ledger's transfers behind a transaction, each a set of entries that add up to zero. */
export function LedgerEntries({ ledger }: { ledger: TransactionDetailView['ledger'] }) {
  const t = useTranslations('panel.transactions.ledger');
  const formats = useFormats();
  const kindText = (kind: string) =>
    t.has(`kinds.${kind}` as 'kinds.charge_paid') ? t(`kinds.${kind}` as 'kinds.charge_paid') : kind;
  return ledger.map(({ transfer_id: id, kind, at, entries }) => (
    <DataTable
      key={id}
      folds="never"
      caption={
        <>
          {kindText(kind)} · <time dateTime={at}>{formats.instantExactly(at)}</time>
        </>
      }
      rows={entries}
      keyOf={({ account }) => account}
      title={(name) => t(name)}
      columns={[
        { name: 'account', cell: ({ account }) => t(`accounts.${account}`) },
        { name: 'amount', cell: ({ amount }) => <Amount reais={amount} signed />, isNumeric: true },
        {
          name: 'balanceAfter',
          cell: ({ balance_after: after }) => after !== null && <Amount reais={after} />,
          isNumeric: true,
        },
      ]}
    />
  ));
}
