'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import type { StatementPageView } from '#contract/reports/statement.ts';
import { dayOf, type StatementDays } from '#domain/reports/statement-period.ts';
import { api } from '#panel/api.tsx';
import { ExportButton } from '#panel/exports/export-button.tsx';
import { Amount } from '#panel/money/amount.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED, PagedList } from '#panel/shell/paged-list.tsx';
import { useAccountTime } from '#panel/shell/use-panel.ts';
import { WaitingRows } from '#panel/shell/waiting.tsx';
import { Skeleton } from '#panel/skeleton.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './statement.module.css';
import { StatementFilters } from './statement-filters.tsx';
import { StatementList } from './statement-list.tsx';
import { addressOfStatement, STATEMENT_ADDRESS, statementOf } from './statement-state.ts';

/** Extrato: the entries of one balance by day, with what it was before and after, and its files. */
export function StatementPage() {
  const t = useTranslations('panel.statement');
  const now = useAccountTime();
  const [today] = useState(() => dayOf(now()));
  const [address, setAddress] = useQueryStates(STATEMENT_ADDRESS);
  const state = statementOf(address, today);
  const { balance, days } = state;
  const query = api.statement.get.useInfiniteQuery({ balance, ...days }, PAGED);
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
      <PagedList
        query={query}
        rowsOf={({ entries }) => entries}
        skeleton={
          <>
            <Skeleton height={88} className={classes.summary} />
            <WaitingRows count={7} />
          </>
        }
        more={() => t('more')}
        failed={t('moreFailed')}
        foot={({ length: shown }) =>
          shown > 0 && <Foot {...{ shown, summary: query.data?.pages[0]?.summary, isWhole: !query.hasNextPage }} />
        }
      >
        {(entries, pages) => {
          const summary = pages[0]?.summary;
          if (!summary) return null;
          return (
            <>
              <Summary summary={summary} days={days} />
              {entries.length === 0 ? (
                <EmptyState title={t('empty.title')} text={t('empty.text')} />
              ) : (
                <StatementList entries={entries} />
              )}
            </>
          );
        }}
      </PagedList>
    </Page>
  );
}

type FootProps = { shown: number; summary: StatementPageView['summary'] | undefined; isWhole: boolean };

/** How much of the statement is shown, and where it began once all of it is. */
function Foot({ shown, summary, isWhole }: FootProps) {
  const t = useTranslations('panel.statement');
  if (!summary) return null;
  return (
    <>
      <Muted fz={13}>{t('shown', { shown, all: summary.entries })}</Muted>
      {isWhole && (
        <Text fz={13}>
          {t('summary.opening')} <Amount reais={summary.opening} />
        </Text>
      )}
    </>
  );
}

type SummaryProps = { summary: NonNullable<StatementPageView['summary']>; days: StatementDays };

/** The sum of a statement: opening balance, credits, debits, closing balance. */
function Summary({ summary, days }: SummaryProps) {
  const formats = useFormats();
  const t = useTranslations('panel.statement.summary');
  const figures = [
    { name: 'opening', text: t('openingOn', { day: formats.day(days.from) }) },
    { name: 'credits', text: t('credits'), isMove: true },
    { name: 'debits', text: t('debits'), isMove: true },
    { name: 'closing', text: t('closingOn', { day: formats.day(days.to) }) },
  ] as const;
  return (
    <dl className={classes.summary} aria-label={t('label')}>
      {figures.map(({ name, text, ...figure }) => (
        <div key={name}>
          <dt>{text}</dt>
          <dd data-in={name === 'credits' && summary.credits > 0} data-testid={name}>
            <Amount reais={summary[name]} size={name === 'closing' ? 'lg' : 'md'} signed={'isMove' in figure} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
