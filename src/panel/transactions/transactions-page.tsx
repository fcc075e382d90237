import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { useErrorText } from '#panel/shell/call-error.ts';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Skeleton } from '#panel/skeleton.tsx';
import { useColumns } from './columns.ts';
import { filtersInput, isFiltered, NO_FILTERS } from './filters.ts';
import { TransactionLines } from './transaction-lines.tsx';
import { TransactionTable } from './transaction-table.tsx';
import classes from './transactions-page.module.css';
import { useFilters } from './use-filters.ts';
import { useTransactions } from './use-transactions.ts';

const tools = () => import('./list-tools.ts');
const ExportButton = lazyPart(tools, 'ExportButton');
const FilterBar = lazyPart(tools, 'FilterBar');
const ColumnMenu = lazyPart(tools, 'ColumnMenu');

/**
 * The list of transactions, newest first. `openId`: the one whose detail is open beside it; `wide`:
 * null while nobody knows.
 */
export function TransactionsPage({ openId, wide }: { openId: string | null; wide: boolean | null }) {
  const t = useTranslations('panel.transactions');
  const { filters, setFilters, addressOf } = useFilters();
  const textOfError = useErrorText();
  const [columns, setColumns] = useColumns();
  const { query, arrived, announcement } = useTransactions(filters);
  // Below a transaction that is open nobody reaches them.
  const [reached, setReached] = useState(openId === null);
  if (openId === null && !reached) setReached(true);
  const actions = (
    <Reached when={reached} placeholder={<ToolsSkeleton />}>
      {wide !== false && (
        <div className={wide === null ? classes.whenWide : undefined}>
          <ColumnMenu columns={columns} onChange={setColumns} />
        </div>
      )}
      <ExportButton
        path="transactions.csv"
        query={new URLSearchParams(filtersInput(filters, new Date()))}
        disabled={!query.data?.pages[0]?.data.length}
      />
    </Reached>
  );
  return (
    <Page title={t('title')} wide actions={actions}>
      <Stack gap="md">
        <Reached when={reached} placeholder={<FiltersSkeleton />}>
          <FilterBar filters={filters} onChange={setFilters} />
        </Reached>
        <VisuallyHidden role="status" aria-live="polite">
          {announcement}
        </VisuallyHidden>
        <QueryState
          query={query}
          skeleton={<RowsSkeleton />}
          isEmpty={({ pages }) => pages[0]?.data.length === 0}
          empty={
            isFiltered(filters) ? (
              <EmptyState
                title={t('noneFound')}
                text={t('noneFoundText')}
                action={
                  <Button variant="default" size="xs" onClick={() => setFilters(NO_FILTERS)}>
                    {t('filters.clear')}
                  </Button>
                }
              />
            ) : (
              <EmptyState title={t('none')} text={t('noneText')} />
            )
          }
        >
          {({ pages }) => {
            const transactions = pages.flatMap(({ data }) => data);
            return (
              <div className={classes.list} data-waiting={query.isPlaceholderData} aria-busy={query.isPlaceholderData}>
                {wide !== false && (
                  <div className={wide === null ? classes.whenWide : undefined}>
                    <TransactionTable {...{ transactions, columns, openId, arrived, addressOf }} />
                  </div>
                )}
                {wide !== true && (
                  <div className={wide === null ? classes.whenNarrow : undefined}>
                    <TransactionLines {...{ transactions, arrived, addressOf }} />
                  </div>
                )}
                <Group justify="center" mt="md" gap="sm">
                  <span className={classes.count}>{t('shown', { count: transactions.length })}</span>
                  {query.hasNextPage && (
                    <Button
                      variant="default"
                      size="xs"
                      loading={query.isFetchingNextPage}
                      onClick={() => query.fetchNextPage()}
                    >
                      {t('more')}
                    </Button>
                  )}
                  {query.isFetchNextPageError && (
                    <Text role="alert" fz="sm" c="var(--tone-bad)">
                      {textOfError(query.error)}
                    </Text>
                  )}
                </Group>
              </div>
            );
          }}
        </QueryState>
      </Stack>
    </Page>
  );
}

/**
 * What is loaded when somebody can reach it; until then its shape keeps its place, so that nothing
 * moves when it comes.
 */
const Reached = (props: { when: boolean; placeholder: ReactNode; children: ReactNode }) =>
  props.when ? <Suspense fallback={props.placeholder}>{props.children}</Suspense> : props.placeholder;

const ToolsSkeleton = () => (
  <>
    <div className={classes.whenWide}>
      <Skeleton width={110} height={36} />
    </div>
    <Skeleton width={110} height={36} />
  </>
);

const FiltersSkeleton = () => (
  <Group gap={8} className={classes.filters} aria-hidden="true">
    <div className={classes.search}>
      <Skeleton width="100%" height={30} />
    </div>
    {[64, 74, 84, 68].map((width) => (
      <Skeleton key={width} width={width} height={30} />
    ))}
  </Group>
);

/** Grey rows in the place of those that come. */
function RowsSkeleton() {
  return (
    <div className={classes.card}>
      {Array.from({ length: 12 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
        <div key={row} className={classes.skeletonRow}>
          <Skeleton width={120} height={12} />
          <Skeleton width="30%" height={12} />
          <Skeleton width={90} height={12} />
        </div>
      ))}
    </div>
  );
}
