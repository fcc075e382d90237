'use client';

import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryState } from 'nuqs';
import { api } from '#panel/api.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { BackLink } from '#panel/shell/back-link.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { BatchDetail } from './batch-detail.tsx';

/** How often the page reads again while rows are under way; a payout takes seconds. */
const REFRESH_MS = 2_000;
/** The same while somebody else has to decide, which nothing reports. */
const DECISION_REFRESH_MS = 10_000;

/** One batch: what was sent of it, what was not, and what is under way. */
export function BatchPage({ id }: { id: string }) {
  const t = useTranslations('panel.batches');
  const { href } = usePanel();
  const [repeated] = useQueryState('repetido', parseAsString);
  const query = api.batches.get.useQuery(
    { batch_id: id },
    {
      refetchInterval({ state: { data } }) {
        if (data?.state === 'pending_approval') return DECISION_REFRESH_MS;
        return data?.state === 'running' || (data?.state === 'done' && data.sums.open.count > 0) ? REFRESH_MS : false;
      },
    },
  );
  return (
    <Page title={t('one.title')} description={<BackLink href={href('/lotes')} label={t('title')} />}>
      <Stack gap="lg">
        {repeated !== null && <Notice role="status">{t('sentBefore')}</Notice>}
        <QueryState query={query} skeleton={[160, 300]}>
          {(batch) => <BatchDetail batch={batch} />}
        </QueryState>
      </Stack>
    </Page>
  );
}
