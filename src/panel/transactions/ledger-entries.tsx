import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Amount } from '#panel/money/amount.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './transaction-detail.module.css';

/** The transfers behind a transaction: each a set of entries that come to zero. */
export function LedgerEntries({ ledger }: { ledger: TransactionDetailView['ledger'] }) {
  const t = useTranslations('panel.transactions.ledger');
  const formats = useFormats();
  const kindText = (kind: string) =>
    t.has(`kinds.${kind}` as 'kinds.charge_paid') ? t(`kinds.${kind}` as 'kinds.charge_paid') : kind;
  return ledger.map(({ transfer_id: id, kind, at, entries }) => (
    <table key={id} className={classes.entries}>
      <caption>
        {kindText(kind)} · <time dateTime={at}>{formats.instantExactly(at)}</time>
      </caption>
      <thead>
        <tr>
          <th scope="col">{t('account')}</th>
          <th scope="col" data-numeric>
            {t('amount')}
          </th>
          <th scope="col" data-numeric>
            {t('balanceAfter')}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ account, amount, balance_after: balanceAfter }) => (
          <tr key={account}>
            <td>{t(`accounts.${account}`)}</td>
            <td data-numeric>
              <Amount reais={amount} signed />
            </td>
            <td data-numeric>{balanceAfter === null ? '' : <Amount reais={balanceAfter} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  ));
}
