'use client';

import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { DocsButton } from '#panel/shell/docs-button.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED, PagedList } from '#panel/shell/paged-list.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { ENDED_INPUT, OPEN_INPUT } from './dispute-inputs.ts';
import { byUrgency } from './dispute-state.ts';
import { DisputeTable } from './dispute-table.tsx';
import { useLiveDisputes } from './use-live-disputes.ts';

/** Contestações: the cases that have not ended, the most urgent first, then those that have. */
export function DisputesPage() {
  const t = useTranslations('panel.disputes');
  const ended = api.disputes.list.useInfiniteQuery(ENDED_INPUT, PAGED);
  const refetchInterval = useLiveDisputes(ended);
  const open = api.disputes.list.useQuery(OPEN_INPUT, { refetchInterval });
  return (
    <Page title={t('title')} description={t('description')} actions={<DocsButton section="#listDisputes" />}>
      <QueryState query={open} skeleton={[160, 160]}>
        {({ data: cases }) => (
          <PagedList
            query={ended}
            rowsOf={({ data }) => data}
            skeleton={[160]}
            empty={
              cases.length > 0 ? (
                <OpenCases cases={cases} />
              ) : (
                <EmptyState title={t('empty.title')} text={t('empty.text')} />
              )
            }
            more={() => t('more')}
          >
            {(rows) => (
              <Stack gap="xl">
                {cases.length > 0 && <OpenCases cases={cases} />}
                <Section title={t('ended')} plain>
                  <DisputeTable disputes={rows} label={t('ended')} ended />
                </Section>
              </Stack>
            )}
          </PagedList>
        )}
      </QueryState>
    </Page>
  );
}

function OpenCases({ cases }: { cases: Parameters<typeof DisputeTable>[0]['disputes'] }) {
  const t = useTranslations('panel.disputes');
  return (
    <Section title={t('underway')} plain>
      <DisputeTable disputes={[...cases].sort(byUrgency)} label={t('underway')} />
    </Section>
  );
}
