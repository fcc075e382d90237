'use client';

import { Stack, Text } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { IconArrowUp, IconPlus } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useQueryState } from 'nuqs';
import { useState } from 'react';
import { api } from '#panel/api.tsx';
import { DisputeStrip } from '#panel/disputes/dispute-strip.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { isSimulated, useFirstSteps } from '#panel/start/use-first-steps.ts';
import { AttentionList } from './attention-list.tsx';
import { Balances } from './balances.tsx';
import { LatestTransactions } from './latest-transactions.tsx';
import classes from './overview.module.css';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { OVERVIEW_ADDRESS } from './period.ts';
import { PeriodFigures } from './period-figures.tsx';

/** Figures follow live changes, but no more often than this. */
const FOLLOW_MS = 2_000;
/** Figures also change without a write: days end, limits restart and withdrawals get stuck. */
const REFRESH_MS = 60_000;

/** Início: how much money is there, what came in, what needs the merchant. */
export function OverviewPage() {
  const t = useTranslations('panel.overview');
  const { href, sees } = usePanel();
  const [period, setPeriod] = useQueryState('periodo', OVERVIEW_ADDRESS.periodo);
  const utils = api.useUtils();
  const query = api.overview.get.useQuery(
    { period },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  const { steps, isAwaited } = useFirstSteps();
  // Everything is shown at once: a part that comes later would move what is below it.
  const whole = isAwaited ? { ...query, data: undefined } : query;
  const follow = useThrottledCallback(() => void utils.overview.get.invalidate(), FOLLOW_MS);

  return (
    <Page
      title={t('title')}
      actions={
        <>
          {sees('/sacar') && <LinkButton href={href('/sacar')} icon={IconArrowUp} label={t('withdraw')} />}
          {sees('/cobrar') && <LinkButton href={href('/cobrar')} icon={IconPlus} primary label={t('newCharge')} />}
        </>
      }
    >
      <QueryState query={whole} skeleton={<OverviewSkeleton />}>
        {(overview) => (
          <Stack gap={16}>
            {overview.attention.disputes && <DisputeStrip disputes={overview.attention.disputes} />}
            <Balances balances={overview.balances} />
            {overview.has_transactions ? (
              <>
                <FirstStepsLeft steps={steps} />
                <PeriodFigures
                  overview={overview}
                  period={period}
                  onPeriod={setPeriod}
                  stale={query.isPlaceholderData}
                />
              </>
            ) : sees('/comecar') && (!steps || (steps.next && isSimulated(steps.next.name))) ? (
              <EmptyState
                title={t('first.title')}
                text={t('first.text')}
                // Their payments are simulated: also what a live account begins with.
                action={<LinkButton href="/test/comecar" label={t('first.action')} />}
              />
            ) : (
              <>
                <FirstStepsLeft steps={steps} />
                <EmptyState title={t('quiet.title')} text={t('quiet.text')} />
              </>
            )}
            <AttentionList attention={overview.attention} />
          </Stack>
        )}
      </QueryState>
      {/* Shown once what is above has its height, because it would move. */}
      <div style={whole.data === undefined && !query.error ? { visibility: 'hidden' } : undefined}>
        <LatestTransactions onChange={follow} />
      </div>
    </Page>
  );
}

/**
 * How many of the first steps are done, and what comes next. If that becomes known only later, it
 * is shown when the page is opened next, because it would move what is below it.
 */
function FirstStepsLeft({ steps }: Pick<ReturnType<typeof useFirstSteps>, 'steps'>) {
  const t = useTranslations('panel.start');
  const { href } = usePanel();
  const [isKnown] = useState(steps !== null);
  if (!isKnown || !steps?.next) return null;
  const { list, done, next } = steps;
  return (
    <section className={`${classes.card} ${classes.steps}`} aria-label={t('title')}>
      <Text fz="sm">
        <strong>{t('progress', { done, total: list.length })}.</strong> {t('nextIs', { step: t(next.name) })}
      </Text>
      <LinkButton href={href('/comecar')} size="xs" label={t('goOn')} />
    </section>
  );
}
