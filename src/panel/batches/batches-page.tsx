'use client';

import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { BatchForm } from './batch-form.tsx';
import { BatchList } from './batch-list.tsx';

/** Pagar em lote: a file of PIX withdrawals, and the batches before it. */
export function BatchesPage() {
  const t = useTranslations('panel.batches');
  const batches = api.batches.list.useQuery({});
  return (
    <Page title={t('title')} description={t('description')}>
      <Stack gap="xl">
        <BatchForm />
        <QueryState query={batches} skeleton={[120]} isEmpty={(data) => data.batches.length === 0}>
          {(data) => (
            <Section title={t('before')} plain>
              <BatchList batches={data.batches} />
            </Section>
          )}
        </QueryState>
      </Stack>
    </Page>
  );
}
