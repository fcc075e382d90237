'use client';

import { Button } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import type { StatementPageView } from '#contract/reports/statement.ts';
import { dayOf, type StatementDays } from '#domain/reports/statement-period.ts';
import { api } from '#panel/api.tsx';
import { ExportButton } from '#panel/exports/export-button.tsx';
import { Amount } from '#panel/money/amount.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import classes from './statement.module.css';
import { StatementFilters } from './statement-filters.tsx';
import { StatementList } from './statement-list.tsx';
import { StatementSkeleton } from './statement-skeleton.tsx';
import { addressOfStatement, STATEMENT_ADDRESS, statementOf } from './statement-state.ts';
import { StatementSummary } from './statement-summary.tsx';

/** Extrato: the entries of one balance by day, with what it was before and after, and its files. */
export function StatementPage() {
  const t = useTranslations('panel.statement');
  const [today] = useState(() => dayOf(new Date()));
  const [address, setAddress] = useQueryStates(STATEMENT_ADDRESS);
  const state = statementOf(address, today);
  const { balance, days } = state;
  const query = api.statement.get.useInfiniteQuery(
    { balance, ...days },
    { getNextPageParam: ({ next_cursor }) => next_cursor, placeholderData: keepPreviousData },
  );
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <ExportButton
          path="statement.csv"
          ofxPath="statement.ofx"
          query={new URLSearchParams({ balance, from: days.from, to: days.to })}
        />
      }
    >
      <StatementFilters state={state} today={today} onChange={(next) => void setAddress(addressOfStatement(next))} />
      <QueryState query={query} skeleton={<StatementSkeleton />}>
        {({ pages }) => (
          <div className={classes.statement} data-stale={query.isPlaceholderData}>
            <Statement pages={pages} days={days} />
            <Further query={query} />
          </div>
        )}
      </QueryState>
    </Page>
  );
}

function Statement({ pages, days }: { pages: readonly StatementPageView[]; days: StatementDays }) {
  const t = useTranslations('panel.statement');
  const summary = pages[0]?.summary;
  const entries = pages.flatMap(({ entries }) => entries);
  const isWhole = pages.at(-1)?.next_cursor === null;
  if (!summary) return null;
  return (
    <>
      <StatementSummary summary={summary} days={days} />
      {entries.length === 0 ? (
        <EmptyState title={t('empty.title')} text={t('empty.text')} />
      ) : (
        <StatementList entries={entries} />
      )}
      {entries.length > 0 && (
        <div className={classes.foot}>
          <Muted>{t('shown', { shown: entries.length, all: summary.entries })}</Muted>
          {isWhole && (
            <span className={classes.openingLine}>
              {t('summary.opening')} <Amount reais={summary.opening} />
            </span>
          )}
        </div>
      )}
    </>
  );
}

type FurtherQuery = Pick<
  ReturnType<typeof api.statement.get.useInfiniteQuery>,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>;

/** The rest, page by page. */
function Further({ query }: { query: FurtherQuery }) {
  const t = useTranslations('panel.statement');
  if (!query.hasNextPage) return null;
  return (
    <div className={classes.more}>
      <ErrorAlert text={query.isFetchNextPageError && t('moreFailed')} />
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        {t('more')}
      </Button>
    </div>
  );
}
