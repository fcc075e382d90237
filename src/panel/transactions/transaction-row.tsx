import { useTranslations } from 'next-intl';
import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import { transactionTitle } from '#domain/transactions/transaction-title.ts';
import { Amount } from '#panel/money/amount.tsx';
import { LinkedLine, RowLink } from '#panel/shell/linked-row.tsx';
import { useAccountTime, usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { shownAmount } from './money-of.ts';
import { shownType } from './shown-type.ts';
import classes from './transaction-row.module.css';
import { TransactionStatusBadge } from './transaction-status.tsx';

/** One transaction in a line (on a phone two), the whole of it a link to its detail. */
export function TransactionRow({ transaction }: { transaction: ListedTransaction }) {
  const types = useTranslations('panel.transactions.types');
  const { href } = usePanel();
  const formats = useFormats();
  const type = types(shownType(transaction));
  const name = [
    titleOf(transaction),
    type,
    formats.reais(shownAmount(transaction)),
    formats.instant(transaction.created_at),
  ].join(', ');
  return (
    <LinkedLine className={classes.row}>
      <ShortTime at={transaction.created_at} />
      <span className={classes.type}>{type}</span>
      <RowLink
        className={classes.title}
        href={href(`/transacoes/${transaction.transaction_id}`)}
        scroll
        aria-label={name}
      >
        {titleOf(transaction)}
      </RowLink>
      <span className={classes.status}>
        <TransactionStatusBadge transaction={{ ...transaction, expires_at: null }} />
      </span>
      <span className={classes.amount}>
        <Amount reais={shownAmount(transaction)} />
      </span>
    </LinkedLine>
  );
}

/** A transaction's title, as `transactionTitle` has it. */
export const titleOf = (transaction: ListedTransaction): string =>
  transactionTitle(transaction.transaction_id, { ...transaction, customerName: transaction.customer_name });

/** The time of an instant of today, the day of an earlier one. */
function ShortTime({ at }: { at: string }) {
  const { time, shortDay } = useFormats();
  const now = useAccountTime();
  const today = dayOf(new Date(at)) === dayOf(now());
  return (
    <time className={classes.time} dateTime={at} suppressHydrationWarning>
      {today ? time(at) : shortDay(at)}
    </time>
  );
}
