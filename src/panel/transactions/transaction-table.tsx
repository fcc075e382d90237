import { Table } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { LinkedRow, RowLink } from '#panel/shell/linked-row.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { COLUMN_WIDTHS, type Column, tableWidthMin } from './columns.ts';
import { shownAmount } from './money-of.ts';
import { NUMERIC, TransactionCell } from './transaction-cell.tsx';
import { titleOf } from './transaction-row.tsx';
import classes from './transactions-page.module.css';

type Props = {
  transactions: readonly ListedTransaction[];
  columns: readonly Column[];
  addressOf: (id: string) => string;
  /** The one whose detail is open. */
  openId: string | null;
  arrived: ReadonlySet<string>;
};

/** Transactions in rows of 40 px, each of them a link to its detail. */
export function TransactionTable({ transactions, columns, addressOf, openId, arrived }: Props) {
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  // Read without the row around it, a link called by a date alone says nothing.
  const nameOf = (transaction: ListedTransaction) =>
    [
      t(`types.${transaction.type}`),
      titleOf(transaction),
      formats.reais(shownAmount(transaction)),
      formats.instant(transaction.created_at),
    ].join(', ');
  return (
    <Table.ScrollContainer minWidth={tableWidthMin(columns)} type="native" className={classes.card}>
      <Table className={classes.table} stickyHeader={false} verticalSpacing={0} horizontalSpacing="sm">
        <colgroup>
          {columns.map((column) => (
            <col key={column} style={{ width: COLUMN_WIDTHS[column] ?? undefined }} />
          ))}
        </colgroup>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} data-column={column} data-numeric={NUMERIC.includes(column)}>
                {t(`columns.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {transactions.map((transaction) => {
            const id = transaction.transaction_id;
            return (
              <LinkedRow key={id} className={classes.row} data-open={id === openId} data-arrived={arrived.has(id)}>
                {columns.map((column) => (
                  <td
                    key={column}
                    data-column={column}
                    data-numeric={NUMERIC.includes(column) || undefined}
                    data-shared={COLUMN_WIDTHS[column] === null || undefined}
                  >
                    {column === 'when' ? (
                      <RowLink href={addressOf(id)} aria-label={nameOf(transaction)}>
                        <TransactionCell column={column} transaction={transaction} />
                      </RowLink>
                    ) : (
                      <TransactionCell column={column} transaction={transaction} />
                    )}
                  </td>
                ))}
              </LinkedRow>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
