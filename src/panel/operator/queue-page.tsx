'use client';

import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { CallbackSection } from './callback-section.tsx';
import { FailedTaskSection } from './failed-task-section.tsx';
import { operatorApi } from './operator-api.tsx';
import { useCodeName } from './use-code-name.ts';

/** How often the page reads the queue again, while it is open. */
const REFRESH_MS = 15_000;
const MINUTE_SECONDS = 60;

/** The queue, failed tasks, and callbacks of providers. */
export function QueuePage() {
  const t = useTranslations('operator.queue');
  return (
    <Page title={t('title')} wide>
      <Stack gap="md">
        <QueueState />
        <FailedTaskSection />
        <CallbackSection />
      </Stack>
    </Page>
  );
}

function QueueState() {
  const t = useTranslations('operator.queue');
  const nameOf = useCodeName();
  const words = useTranslations('operator.overview');
  const found = operatorApi.queue.state.useQuery(undefined, { refetchInterval: REFRESH_MS });
  return (
    <Section title={t('state')}>
      <QueryState query={found} skeleton={[120]}>
        {({ queue }) => {
          const rows = queue.filter(({ due, scheduled }) => due + scheduled > 0);
          if (rows.length === 0) return <Text fz="sm">{t('empty')}</Text>;
          return (
            <DataTable
              label={t('state')}
              folds="never"
              rows={rows}
              keyOf={({ kind }) => kind}
              title={(name) => t(name)}
              columns={[
                { name: 'kind', isHead: true, cell: ({ kind }) => nameOf('tasks', kind) },
                { name: 'due', isNumeric: true, cell: ({ due }) => due },
                { name: 'scheduled', isNumeric: true, cell: ({ scheduled }) => scheduled },
                {
                  name: 'oldest',
                  isNumeric: true,
                  cell: ({ due, oldest_due_seconds: seconds }) =>
                    due > 0 && words('minutes', { count: Math.floor(seconds / MINUTE_SECONDS) }),
                },
              ]}
            />
          );
        }}
      </QueryState>
    </Section>
  );
}
