import { useMediaQuery } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { otherParty } from '#domain/transactions/transaction-title.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { COLUMN_WIDTHS, COLUMNS, type ColumnName } from './columns.ts';
import { isSettled, shownAmount, shownCoins } from './money-of.ts';
import { shownType } from './shown-type.ts';
import { titleOf } from './transaction-row.tsx';
import { TransactionStatusBadge } from './transaction-status.tsx';
import classes from './transactions-page.module.css';

type Props = {
  transactions: readonly ListedTransaction[];
  columns: readonly ColumnName[];
  addressOf: (id: string) => string;
  /** The transaction whose detail is open. */
  openId: string | null;
  arrived: ReadonlySet<string>;
  /** Whether the detail opens over the list, which stays where it is. */
  hasDrawer: boolean;
};

/** From this width on `DataTable` shows columns. */
const TABLE = '(min-width: 75.01em)';

const NUMERIC: readonly ColumnName[] = ['fee', 'net', 'refunded', 'coins', 'amount'];
/** The columns that a transaction's two lines show, besides its title. */
const IN_LIST: readonly ColumnName[] = ['when', 'type', 'status', 'amount'];

/**
 * Transactions in rows of 40 px, on a narrow screen in two lines, each of them a link to its
 * detail.
 */
export function TransactionList({ transactions, columns, addressOf, openId, arrived, hasDrawer }: Props) {
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  // The server does not know the width.
  const isTable = useMediaQuery(TABLE) ?? false;
  // A screen reader may read the link without its row: a date alone would say nothing.
  const nameOf = (one: ListedTransaction) =>
    [t(`types.${shownType(one)}`), titleOf(one), formats.reais(shownAmount(one)), formats.instant(one.created_at)].join(
      ', ',
    );
  const cells: Record<ColumnName, (one: ListedTransaction) => ReactNode> = {
    when: (one) => (
      <RowLink href={addressOf(one.transaction_id)} scroll={!hasDrawer} aria-label={nameOf(one)}>
        <When at={one.created_at} />
      </RowLink>
    ),
    type: (one) => t(`types.${shownType(one)}`),
    who: (one) => otherParty({ ...one, customerName: one.customer_name }) ?? '—',
    description: ({ description }) => description,
    status: (one) => <TransactionStatusBadge transaction={one} />,
    id: ({ transaction_id: id }) => <code className={classes.code}>{id}</code>,
    reference: ({ external_id: reference }) => <code className={classes.code}>{reference}</code>,
    paid_at: ({ paid_at: at }) => at && <When at={at} />,
    fee: (one) => (isSettled(one) ? <Amount reais={-one.settled.fees} /> : '—'),
    net: (one) => (isSettled(one) ? <Amount reais={one.settled.net} /> : '—'),
    refunded: ({ settled }) => settled.refunded > 0 && <Amount reais={-settled.refunded} />,
    coins: (one) => shownCoins(one, formats),
    // An amount that has not moved is paler.
    amount: (one) => (
      <span className={classes.figure} data-moved={isSettled(one)}>
        <Amount reais={shownAmount(one)} />
      </span>
    ),
  };
  const shown = COLUMNS.filter((name) => columns.includes(name) || IN_LIST.includes(name)).map((name) => ({
    name,
    cell: cells[name],
    isNumeric: NUMERIC.includes(name),
    only: !columns.includes(name) ? ('list' as const) : IN_LIST.includes(name) ? undefined : ('table' as const),
    ...(columns.includes(name) && { width: COLUMN_WIDTHS[name] }),
  }));
  return (
    <DataTable
      rows={transactions}
      keyOf={({ transaction_id: id }) => id}
      title={(name) => t(`columns.${name === 'title' ? 'who' : name}`)}
      folds="tablet"
      classes={classes}
      isLink
      rowProps={({ transaction_id: id }) => ({ 'data-open': id === openId, 'data-arrived': arrived.has(id) })}
      columns={isTable ? shown : [{ name: 'title', cell: titleOf, only: 'list' }, ...shown]}
    />
  );
}
