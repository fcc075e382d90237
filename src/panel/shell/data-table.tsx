import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { LinkedRow } from './linked-row.tsx';

export type Column<Row, Name extends string = string> = {
  name: Name;
  cell: (row: Row) => ReactNode;
  /** It names the row. */
  isHead?: boolean;
  /** It ends at the right, so that figures stand under each other. */
  isNumeric?: boolean;
  /** Of its cell, besides the class. */
  props?: (row: Row) => { title?: string; 'data-bad'?: boolean };
};

type Props<Row, Name extends string> = {
  columns: readonly Column<Row, Name>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** What stands above a column; without it the table has no head. */
  title?: (name: Name) => ReactNode;
  caption?: ReactNode;
  /**
   * Where a narrow screen makes a list of it: on a tablet, where its columns are many, or on a
   * phone. `never`: a small table inside something else.
   */
  folds?: 'tablet' | 'phone' | 'never';
  /** Of `row` and of each column by its name: how a row is laid out once the table is a list. */
  classes?: Readonly<Record<string, string>>;
  /**
   * Of each row, besides its class; `isLink`: a cell has a `RowLink`, which the whole row follows.
   */
  rowProps?: (row: Row) => Record<`data-${string}`, unknown>;
  isLink?: boolean;
};

/** Rows under their columns; on a narrow screen a list, whose rows `classes` lays out. */
export function DataTable<Row, const Name extends string>(props: Props<Row, Name>) {
  const { columns, rows, keyOf, title, caption, folds = 'phone', classes: own = {}, rowProps, isLink = false } = props;
  const Tr = isLink ? LinkedRow : Table.Tr;
  return (
    <Table
      className={classes[folds] ?? ''}
      fz={folds === 'never' ? 13 : 14}
      verticalSpacing={folds === 'never' ? 4 : 6}
      horizontalSpacing={folds === 'never' ? 0 : 'md'}
      withRowBorders={false}
      highlightOnHover={isLink}
    >
      {caption && <caption>{caption}</caption>}
      {title && (
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, isNumeric }) => (
              <Table.Th key={name} data-numeric={isNumeric}>
                {title(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
      )}
      <Table.Tbody>
        {rows.map((row) => (
          <Tr key={keyOf(row)} className={own.row} {...rowProps?.(row)}>
            {columns.map(({ name, cell, isHead, isNumeric, props: cellProps }) => {
              const Cell = isHead ? Table.Th : Table.Td;
              return (
                <Cell
                  key={name}
                  className={own[name] ?? ''}
                  data-numeric={isNumeric}
                  {...(isHead && { scope: 'row' })}
                  {...cellProps?.(row)}
                >
                  {cell(row)}
                </Cell>
              );
            })}
          </Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
