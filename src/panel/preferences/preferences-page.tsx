'use client';

import { SimpleGrid } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { Waiting } from '#panel/shell/waiting.tsx';
import { CurrencyChoice } from './currency-choice.tsx';
import { NotificationChoices } from './notification-choices.tsx';
import { ThemeChoices } from './theme-choices.tsx';

/** What a member chooses for themselves, and the account's default currency. */
export function PreferencesPage() {
  const t = useTranslations('panel.preferences');
  const preferences = api.preferences.get.useQuery();
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={preferences} skeleton={<Waiting columns heights={[220, 220, 220]} />}>
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
