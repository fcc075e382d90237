import { Box, Button, Group, Stack, VisuallyHidden } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useLocale, useTranslations } from 'next-intl';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Once } from '#panel/shell/once.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PagedList } from '#panel/shell/paged-list.tsx';
import { useAccountTime, usePanel } from '#panel/shell/use-panel.ts';
import { WaitingRows } from '#panel/shell/waiting.tsx';
import { Skeleton } from '#panel/skeleton.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { useColumns } from './columns.ts';
import { filtersInput, isFiltered, NO_FILTERS } from './filters.ts';
import { TransactionList } from './transaction-list.tsx';
import classes from './transactions-page.module.css';
import { useFilters } from './use-filters.ts';
import { useTransactions } from './use-transactions.ts';

const tools = () => import('./list-tools.ts');
const ExportButton = lazyPart(tools, 'ExportButton');
const FilterBar = lazyPart(tools, 'FilterBar');
const ColumnMenu = lazyPart(tools, 'ColumnMenu');

/**
 * The list of transactions, newest first. `openId`: the one whose detail is open, in a drawer
 * beside it where there is room (`hasDrawer`).
 */
export function TransactionsPage({ openId, hasDrawer }: { openId: string | null; hasDrawer: boolean }) {
  const t = useTranslations('panel.transactions');
  const { filters, setFilters, addressOf } = useFilters();
  const [columns, setColumns] = useColumns();
  const now = useAccountTime();
  const { href, sees } = usePanel();
  const { reais } = useFormats();
  // The search field looks in texts only.
  const typedAmount = reaisOfText(filters.text, useLocale());
  const { query, arrived, announcement } = useTransactions(filters);
  // An open detail covers the controls.
  const isReached = openId === null;
  const actions = (
    <Once wanted={isReached} shape={<ToolsSkeleton />}>
      <Box visibleFrom="lg">
        <ColumnMenu columns={columns} onChange={setColumns} />
      </Box>
      <ExportButton
        path="transactions.csv"
        query={new URLSearchParams(filtersInput(filters, now()))}
        disabled={!query.data?.pages[0]?.data.length}
      />
    </Once>
  );
  return (
    <Page title={t('title')} wide actions={actions}>
      <Stack gap="md">
        <Once wanted={isReached} shape={<FiltersSkeleton />}>
          <FilterBar filters={filters} onChange={setFilters} />
        </Once>
        <VisuallyHidden role="status" aria-live="polite">
          {announcement}
        </VisuallyHidden>
        <PagedList
          query={query}
          rowsOf={({ data }) => data}
          skeleton={<WaitingRows count={12} />}
          empty={
            isFiltered(filters) ? (
              <EmptyState
                title={t('noneFound')}
                text={t('noneFoundText')}
                action={
                  <Group gap="xs" justify="center">
                    {typedAmount !== null && (
                      <Button
                        variant="default"
                        size="xs"
                        onClick={() => setFilters({ ...filters, text: '', min: typedAmount, max: typedAmount })}
                      >
                        {t('byAmount', { amount: reais(typedAmount) })}
                      </Button>
                    )}
                    <Button variant="default" size="xs" onClick={() => setFilters(NO_FILTERS)}>
                      {t('filters.clear')}
                    </Button>
                  </Group>
                }
              />
            ) : (
              <EmptyState
                title={t('none')}
                text={t('noneText')}
                action={sees('/cobrar') && <LinkButton href={href('/cobrar')} size="sm" label={t('newCharge')} />}
              />
            )
          }
          foot={({ length: count }) => <Muted fz={13}>{t('shown', { count })}</Muted>}
          more={() => t('more')}
        >
          {(transactions) => <TransactionList {...{ transactions, columns, openId, arrived, addressOf, hasDrawer }} />}
        </PagedList>
      </Stack>
    </Page>
  );
}

const ToolsSkeleton = () => (
  <>
    <Box visibleFrom="lg">
      <Skeleton width={110} height={36} />
    </Box>
    <Skeleton width={110} height={36} />
  </>
);

/** As wide as the labels in the language of the page, so that lines break in the same places. */
function FiltersSkeleton() {
  const t = useTranslations('panel.transactions.filters');
  return (
    <Group gap={8} aria-hidden="true" inert>
      <div className={classes.search}>
        <Skeleton width="100%" height={30} />
      </div>
      {(['type', 'status', 'period', 'amount'] as const).map((name) => (
        <Button key={name} size="xs" variant="default" rightSection={<Icon of={IconChevronDown} size={12} />}>
          {t(name)}
        </Button>
      ))}
    </Group>
  );
}
