import { useTranslations } from 'next-intl';
import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { LinkedLine, RowLink } from '#panel/shell/linked-row.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { TransactionCell } from './transaction-cell.tsx';
import { titleOf } from './transaction-row.tsx';
import classes from './transactions-page.module.css';

type Props = {
  transactions: readonly ListedTransaction[];
  addressOf: (id: string) => string;
  arrived: ReadonlySet<string>;
};

/** The same on a phone: two lines each. */
export function TransactionLines({ transactions, addressOf, arrived }: Props) {
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  return (
    <ul className={classes.lines}>
      {transactions.map((transaction) => (
        <li
          key={transaction.transaction_id}
          className={classes.row}
          data-arrived={arrived.has(transaction.transaction_id)}
        >
          <LinkedLine className={classes.line}>
            <RowLink href={addressOf(transaction.transaction_id)} scroll className={classes.who}>
              {titleOf(transaction)}
            </RowLink>
            <TransactionCell column="amount" transaction={transaction} />
            <span className={classes.about}>
              {t(`types.${transaction.type}`)} · {formats.instant(transaction.created_at)}
            </span>
            <TransactionCell column="status" transaction={transaction} />
          </LinkedLine>
        </li>
      ))}
    </ul>
  );
}
