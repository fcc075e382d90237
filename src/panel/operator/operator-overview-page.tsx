'use client';

import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { isZero } from '#panel/reconciliation/day-amount.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { operatorApi } from './operator-api.tsx';
import { useCodeName } from './use-code-name.ts';

/** How often the page reads again what waits, while it is open. */
const REFRESH_MS = 15_000;
const MINUTE_SECONDS = 60;

/** What waits for an operator, and whether the installation works. */
export function OperatorOverviewPage() {
  const t = useTranslations('operator.overview');
  const nameOf = useCodeName();
  const railName = useTranslations('operator.installation');
  const formats = useFormats();
  const overview = operatorApi.overview.get.useQuery(undefined, { refetchInterval: REFRESH_MS });
  const minutes = (seconds: number) => t('minutes', { count: Math.floor(seconds / MINUTE_SECONDS) });
  return (
    <Page title={t('title')}>
      <QueryState query={overview} skeleton={[180, 180]}>
        {({ waiting, verifications, disputes, payouts, queue, sweeps, differing_days: days, closed_rails: closed }) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <Section title={t('waiting')}>
              <Lines
                empty={t('nothing')}
                lines={[
                  ...closed.map(({ rail, reason }) => (
                    <TextLink
                      key={rail}
                      href="/operator/instalacao"
                      label={t('closedRail', { rail: railName(`rail.${rail}`), reason })}
                    />
                  )),
                  verifications > 0 && (
                    <TextLink href="/operator/verificacoes" label={t('verifications', { count: verifications })} />
                  ),
                  disputes > 0 && <TextLink href="/operator/contestacoes" label={t('disputes', { count: disputes })} />,
                  payouts > 0 && <TextLink href="/operator/saques" label={t('payouts', { count: payouts })} />,
                  ...waiting
                    .filter(({ count }) => count > 0)
                    .map(({ kind, mode, count, amount }) => {
                      const text = t(`kinds.${kind}`, { count, amount: formats.reais(amount), mode });
                      const key = `${kind} ${mode}`;
                      return kind === 'owed' ? text : <TextLink key={key} href="/operator/decisoes" label={text} />;
                    }),
                ]}
              />
            </Section>
            <Section title={t('books')}>
              <Lines
                empty={t('booksAgree')}
                lines={days.map(({ rail, day, asset, difference, unreadable }) =>
                  isZero(difference)
                    ? t('unreadable', { rail, day: formats.day(day), count: unreadable })
                    : t('differs', { rail, day: formats.day(day), amount: formats.money(difference, asset) }),
                )}
              />
              {sweeps.map(({ rail, seconds }) => (
                <Muted key={rail}>{t('sweep', { rail, ago: minutes(seconds) })}</Muted>
              ))}
            </Section>
            <Section title={t('queue')}>
              <Lines
                empty={t('queueEmpty')}
                lines={queue.map(({ kind, due, scheduled, oldest_due_seconds: oldest }) =>
                  t('tasks', { kind: nameOf('tasks', kind), due, scheduled, oldest: minutes(oldest) }),
                )}
              />
            </Section>
          </SimpleGrid>
        )}
      </QueryState>
    </Page>
  );
}

function Lines({ lines, empty }: { lines: readonly (ReactNode | false)[]; empty: string }) {
  const shown = lines.filter((line) => line !== false);
  if (shown.length === 0) return <Text fz="sm">{empty}</Text>;
  return (
    <Stack gap={6}>
      {shown.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and no state.
        <Text key={at} fz="sm" component="div">
          {line}
        </Text>
      ))}
    </Stack>
  );
}
