'use client';

import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ListedTransaction } from '#contract/transactions.ts';
import { Amount } from '#panel/money/amount.tsx';
import { When } from '#panel/shell/when.tsx';
import { coinsText } from './coins.ts';
import type { Column } from './columns.ts';
import { isMoneyOut } from './status-look.ts';
import { TransactionStatusBadge } from './transaction-status.tsx';
import classes from './transactions-page.module.css';

/** These end at the right, so that figures stand under each other. */
export const NUMERIC: readonly Column[] = ['fee', 'net', 'refunded', 'coins', 'amount'];

/** Money that came to nothing, or is not there yet, steps back. */
const isMoved = ({ status }: ListedTransaction) => ['paid', 'completed', 'refunded'].includes(status);

/** What a column says of a transaction. */
export function TransactionCell({
  column,
  transaction,
}: {
  column: Column;
  transaction: ListedTransaction;
}): ReactNode {
  const t = useTranslations('panel.transactions');
  const language = useLocale();
  const { type, status, sub_status, expires_at, currency, crypto_amount } = transaction;
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
      return <TransactionStatusBadge type={type} status={status} subStatus={sub_status} expiresAt={expires_at} />;
    case 'id':
      return <code className={classes.code}>{transaction.transaction_id}</code>;
    case 'reference':
      return <code className={classes.code}>{transaction.external_id}</code>;
    case 'paid_at':
      return transaction.paid_at && <When at={transaction.paid_at} />;
    case 'fee':
      return <Amount reais={-transaction.amount_fees} />;
    case 'net':
      return <Amount reais={isMoneyOut(type) ? -transaction.net_amount : transaction.net_amount} />;
    case 'refunded':
      return transaction.refunded_amount > 0 && <Amount reais={-transaction.refunded_amount} />;
    case 'coins':
      return currency && crypto_amount !== null && coinsText(crypto_amount, currency, language);
    case 'amount':
      return (
        <span className={classes.amount} data-moved={isMoved(transaction)}>
          <Amount reais={isMoneyOut(type) ? -transaction.amount : transaction.amount} />
        </span>
      );
  }
}
