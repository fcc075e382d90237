import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { Amount } from '#panel/money/amount.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { coinsText, shownCoins } from './coins.ts';
import type { Column } from './columns.ts';
import { isSettled, shownAmount } from './money-of.ts';
import { TransactionStatusBadge } from './transaction-status.tsx';
import classes from './transactions-page.module.css';

/** These end at the right, so that figures stand under each other. */
export const NUMERIC: readonly Column[] = ['fee', 'net', 'refunded', 'coins', 'amount'];

/** What a column says of a transaction. */
export function TransactionCell({
  column,
  transaction,
}: {
  column: Column;
  transaction: ListedTransaction;
}): ReactNode {
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  const { type, status, sub_status, expires_at, refunded_amount, currency, settled } = transaction;
  const coins = shownCoins(transaction);
  switch (column) {
    case 'when':
      return <When at={transaction.created_at} />;
    case 'type':
      return t(`types.${type}`);
    case 'who':
      return transaction.customer_name ?? transaction.destination ?? '—';
    case 'description':
      return transaction.description;
    case 'status':
      return (
        <TransactionStatusBadge
          type={type}
          status={status}
          subStatus={sub_status}
          refundedAmount={refunded_amount}
          expiresAt={expires_at}
        />
      );
    case 'id':
      return <code className={classes.code}>{transaction.transaction_id}</code>;
    case 'reference':
      return <code className={classes.code}>{transaction.external_id}</code>;
    case 'paid_at':
      return transaction.paid_at && <When at={transaction.paid_at} />;
    case 'fee':
      return isSettled(transaction) ? <Amount reais={-settled.fees} /> : '—';
    case 'net':
      return isSettled(transaction) ? <Amount reais={settled.net} /> : '—';
    case 'refunded':
      return settled.refunded > 0 && <Amount reais={-settled.refunded} />;
    case 'coins':
      return currency && coins !== null && coinsText(coins, currency, formats);
    case 'amount':
      return (
        // What came to nothing, or is not there yet, steps back.
        <span className={classes.amount} data-moved={isSettled(transaction)}>
          <Amount reais={shownAmount(transaction)} />
        </span>
      );
  }
}
