import { Button, Group, Stack, VisuallyHidden } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { useErrorText } from './call-error.ts';
import { ErrorAlert } from './error-alert.tsx';
import classes from './paged-list.module.css';
import { QueryState } from './query-state.tsx';
import { useMoreRows } from './use-more-rows.ts';

/**
 * Options of `useInfiniteQuery`: a page names the next one, and shown pages stay while others come.
 */
export const PAGED = {
  getNextPageParam: <Cursor,>({ next_cursor: cursor }: { next_cursor?: Cursor }) => cursor,
  placeholderData: keepPreviousData,
};

/**
 * For its `refetchInterval`: the newest page is read again, but nothing once older pages are
 * loaded, because the list would move while it is read.
 */
export const refreshNewest =
  (everyMs: number) =>
  ({ state }: { state: { data?: { pages: readonly unknown[] } | undefined } }) =>
    state.data && state.data.pages.length > 1 ? (false as const) : everyMs;

/** What a list reads, and what stands around its rows. */
export type PagedListProps<Page, Row> = {
  query: ComponentProps<typeof QueryState<{ pages: Page[] }>>['query'] & {
    isPlaceholderData: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage(): unknown;
  };
  rowsOf: (page: Page) => readonly Row[];
  skeleton: ReactNode;
  /** Shown in place of the list where there is no row; without it the list says so itself. */
  empty?: ReactNode;
  /** The text of the button for the next page. */
  more: (rows: readonly Row[]) => string;
  /** Why the next page did not come, where the error's own text does not fit. */
  failed?: string;
  /** Beside the button. */
  foot?: (rows: readonly Row[]) => ReactNode;
  children: (rows: readonly Row[], pages: readonly Page[]) => ReactNode;
};

/**
 * A list that is read page by page: its rows, paler while others come, and a button for the next
 * page.
 */
export function PagedList<Page, Row>(props: PagedListProps<Page, Row>) {
  const { query, rowsOf, skeleton, empty } = props;
  return (
    <QueryState
      query={query}
      skeleton={skeleton}
      isEmpty={({ pages }) =>
        empty !== undefined && !query.hasNextPage && pages.every((page) => rowsOf(page).length === 0)
      }
      empty={empty}
    >
      {({ pages }) => <Rows {...props} pages={pages} />}
    </QueryState>
  );
}

function Rows<Page, Row>(props: PagedListProps<Page, Row> & { pages: readonly Page[] }) {
  const { query, pages, rowsOf, more, failed, foot, children } = props;
  const textOf = useErrorText();
  const rows = pages.flatMap(rowsOf);
  const { list, pressed, announcement } = useMoreRows({ loads: pages.length, count: rows.length });
  const load = () => {
    pressed();
    query.fetchNextPage();
  };
  return (
    <Stack gap="sm" ref={list} className={classes.list} aria-busy={query.isPlaceholderData}>
      {children(rows, pages)}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <Group justify="center" gap="sm" className={classes.foot}>
        {foot?.(rows)}
        <ErrorAlert text={query.isFetchNextPageError && (failed ?? textOf(query.error))} />
        {query.hasNextPage && (
          <Button variant="default" loading={query.isFetchingNextPage} onClick={load}>
            {more(rows)}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
