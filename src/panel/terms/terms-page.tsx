'use client';

import { SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { api } from '#panel/api.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { CryptoTerms } from './crypto-terms.tsx';
import { FeeList } from './fee-list.tsx';
import { LimitList } from './limit-list.tsx';

/** What is agreed with the account: limits with their use, fees with examples, and how to ask for others. */
export function TermsPage() {
  const t = useTranslations('panel.terms');
  const { me } = usePanel();
  const terms = api.terms.get.useQuery();
  return (
    <Page title={t('title')} description={`${t('description')} ${t('zone')}`}>
      <QueryState query={terms} skeleton={<Waiting />}>
        {(data) => (
          <Stack gap="xl">
            <Section title={t('limits')} text={t('counts')}>
              <LimitList terms={data} />
            </Section>
            <Section title={t('fees')} text={t('feesExplained')}>
              <FeeList fees={data.fees} />
            </Section>
            <Section title={t('crypto')}>
              <CryptoTerms crypto={data.crypto} />
            </Section>
            <Section title={t('ask')} text={t('adjust')}>
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

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm">
      <div>
        <Title order={2} fz={17}>
          {title}
        </Title>
        {text && <Muted>{text}</Muted>}
      </div>
      {children}
    </Stack>
  );
}

const Waiting = () => (
  <Stack gap="xl">
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Skeleton height={260} radius="md" />
      <Skeleton height={260} radius="md" />
    </SimpleGrid>
    <Skeleton height={190} radius="md" />
    <Skeleton height={140} radius="md" />
  </Stack>
);
