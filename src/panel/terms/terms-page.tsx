'use client';

import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { CryptoTerms } from './crypto-terms.tsx';
import { FeeList } from './fee-list.tsx';
import { LimitList } from './limit-list.tsx';

/**
 * What is agreed with the account: limits with their use, fees with examples, and how to ask for
 * others.
 */
export function TermsPage() {
  const t = useTranslations('panel.terms');
  const { me } = usePanel();
  const terms = api.terms.get.useQuery();
  return (
    <Page title={t('title')} description={`${t('description')} ${t('zone')}`}>
      <QueryState query={terms} skeleton={[260, 190, 140]}>
        {(data) => (
          <Stack gap="xl">
            <Section plain title={t('limits')} text={t('counts')}>
              <LimitList terms={data} />
            </Section>
            <Section plain title={t('fees')} text={t('feesExplained')}>
              <FeeList fees={data.fees} />
            </Section>
            <Section plain title={t('crypto')}>
              <CryptoTerms crypto={data.crypto} />
            </Section>
            <Section plain title={t('ask')} text={t('adjust')}>
              <Text fz="sm" component="div">
                {t('askText')} <CopyText value={me.account_id} label={t('accountId')} />
              </Text>
            </Section>
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}
