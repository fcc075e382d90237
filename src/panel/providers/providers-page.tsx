'use client';

import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { ProviderSection } from './provider-section.tsx';

/**
 * Provedores: whose provider credentials the account's money goes over, and connecting one's own.
 */
export function ProvidersPage() {
  const t = useTranslations('panel.providers');
  const { mode, may } = usePanel();
  const query = api.providers.get.useQuery();
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={query} skeleton={[220, 220]}>
        {(data) => (
          <Stack gap="lg">
            {mode === 'test' && <Text fz="sm">{t('test')}</Text>}
            {data.required && (
              <Notice>
                <Text fz="sm" fw={600}>
                  {t('requiredTitle')}
                </Text>
                <Text fz="sm">{t('required')}</Text>
              </Notice>
            )}
            {data.sandbox && <Text fz="sm">{t('demo')}</Text>}
            {data.rails.map((rail) => (
              <ProviderSection key={rail.kind} rail={rail} sandbox={data.sandbox} isRequired={data.required} />
            ))}
            {mode === 'live' && !may('providers.connect') && <Muted>{t('ownerOnly')}</Muted>}
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}
