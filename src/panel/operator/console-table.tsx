import type { ComponentProps } from 'react';
import { DataTable, type DataTableProps } from '#panel/shell/data-table.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import classes from './operator-table.module.css';

type Props<Data, Row, Name extends string> = Omit<DataTableProps<Row, Name>, 'rows'> & {
  query: ComponentProps<typeof QueryState<Data>>['query'];
  rowsOf: (data: Data) => readonly Row[];
  /** Shown where there is no row. */
  none: string;
};

/** A table of the console that is read at once. */
export function ConsoleTable<Data, Row, const Name extends string>(props: Props<Data, Row, Name>) {
  const { query, rowsOf, none, ...table } = props;
  return (
    <QueryState
      query={query}
      skeleton={[240]}
      isEmpty={(data) => rowsOf(data).length === 0}
      empty={<EmptyState title={none} />}
    >
      {(data) => <DataTable folds="tablet" classes={classes} {...table} rows={rowsOf(data)} />}
    </QueryState>
  );
}
