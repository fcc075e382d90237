'use client';

import { Card, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { api } from '#panel/api.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { CurrencyChoice } from './currency-choice.tsx';
import { NotificationChoices } from './notification-choices.tsx';
import { ThemeChoices } from './theme-choices.tsx';

/** What a member chooses for themselves, and the account's default currency. */
export function PreferencesPage() {
  const t = useTranslations('panel.preferences');
  const preferences = api.preferences.get.useQuery();
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={preferences} skeleton={<Waiting />}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <Section title={t('look')} text={t('lookText')}>
              <ThemeChoices language={data.language} theme={data.theme} />
            </Section>
            <Section title={t('account')} text={t('currencyText')}>
              <CurrencyChoice currency={data.currency} currencies={data.currencies} />
            </Section>
            <Section title={t('notifications')} text={t('notificationsText', { email: data.email })}>
              <NotificationChoices wanted={data.notifications} />
            </Section>
          </SimpleGrid>
        )}
      </QueryState>
    </Page>
  );
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Card withBorder padding="lg" component="section">
      <Stack gap="md">
        <div>
          <Title order={2} fz={16}>
            {title}
          </Title>
          <Muted style={{ overflowWrap: 'anywhere' }}>{text}</Muted>
        </div>
        {children}
      </Stack>
    </Card>
  );
}

const Waiting = () => (
  <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
    {['look', 'account', 'notifications'].map((name) => (
      <Skeleton key={name} height={220} radius="md" />
    ))}
  </SimpleGrid>
);
