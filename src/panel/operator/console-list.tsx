import { Text } from '@mantine/core';
import { DataTable, type DataTableProps } from '#panel/shell/data-table.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { PagedList, type PagedListProps } from '#panel/shell/paged-list.tsx';
import classes from './operator-table.module.css';

type Props<Page, Row, Name extends string> = Pick<PagedListProps<Page, Row>, 'query' | 'rowsOf'> &
  Omit<DataTableProps<Row, Name>, 'rows'> & {
    /** Shown where there is no row, and while none is found but there are older ones. */
    none: string;
    further?: string;
    /** In a card already, where an empty list is a line of text. */
    isInCard?: boolean;
    /** On the button for the next page. */
    more: string;
    /** Of its skeleton, in pixels. */
    height?: number;
  };

/** A table of the console that is read page by page. */
export function ConsoleList<Page, Row, const Name extends string>(props: Props<Page, Row, Name>) {
  const { query, rowsOf, none, further = none, isInCard = false, more, height = 300, ...table } = props;
  const empty = (text: string) => (isInCard ? <Text fz="sm">{text}</Text> : <EmptyState title={text} />);
  return (
    <PagedList query={query} rowsOf={rowsOf} skeleton={[height]} empty={empty(none)} more={() => more}>
      {(rows) =>
        rows.length === 0 ? empty(further) : <DataTable folds="tablet" classes={classes} {...table} rows={rows} />
      }
    </PagedList>
  );
}
