'use client';

import { NativeSelect, SimpleGrid, Stack, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { PreferencesOutput } from '#contract/members/preferences.ts';
import { NOTICE_KINDS, OPTIONAL_NOTICES } from '#domain/notices/notice-kinds.ts';
import { languages } from '#domain/values/language.ts';
import { api } from '#panel/api.tsx';
import { Choice } from '#panel/shell/choice.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { Waiting } from '#panel/shell/waiting.tsx';
import { useSaved } from './use-saved.ts';
import { useTheme } from './use-theme.ts';

/** What a member chooses for themselves, and the account's default currency. */
export function PreferencesPage() {
  const t = useTranslations('panel.preferences');
  const { may } = usePanel();
  const preferences = api.preferences.get.useQuery();
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={preferences} skeleton={<Waiting columns heights={[220, 220, 220]} />}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <Stack gap="md">
              <Section title={t('look')} text={t('lookText')}>
                <LookChoices {...data} />
              </Section>
              {may('preferences.setCurrency') && (
                <Section title={t('account')} text={t('currencyText')}>
                  <CurrencyChoice {...data} />
                </Section>
              )}
            </Stack>
            <Section title={t('notifications')} text={t('notificationsText', { email: data.email })}>
              <NotificationChoices wanted={data.notifications} />
            </Section>
          </SimpleGrid>
        )}
      </QueryState>
    </Page>
  );
}

/** Language and theme: both take effect at once, the language by a reload of the page. */
function LookChoices({ language, theme }: Pick<PreferencesOutput, 'language' | 'theme'>) {
  const t = useTranslations('panel.preferences');
  const { choose, pending } = useTheme();
  const saved = useSaved();
  const setLanguage = api.preferences.setLook.useMutation({ ...saved, onSuccess: () => window.location.reload() });
  const shownLanguage = setLanguage.isPending ? setLanguage.variables.language : language;
  const shownTheme = pending === undefined ? theme : pending;
  return (
    <Stack gap="md">
      <Choice
        fullWidth
        label={t('language')}
        value={shownLanguage ?? 'auto'}
        data={(['auto', ...languages] as const).map((value) => ({ value, label: t(`languages.${value}`) }))}
        onChange={(chosen) => setLanguage.mutate({ language: chosen === 'auto' ? null : chosen })}
      />
      <Choice
        fullWidth
        label={t('theme')}
        value={shownTheme ?? 'auto'}
        data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`themes.${value}`) }))}
        onChange={choose}
      />
    </Stack>
  );
}

/** The account's default currency of crypto charges and withdrawals. */
function CurrencyChoice({ currency, currencies }: Pick<PreferencesOutput, 'currency' | 'currencies'>) {
  const t = useTranslations('panel.preferences');
  const { mode } = usePanel();
  const setCurrency = api.preferences.setCurrency.useMutation(useSaved());
  const shown = setCurrency.isPending ? setCurrency.variables.currency : currency;
  return (
    <NativeSelect
      label={t('currency')}
      description={t('currencyMode', { mode })}
      value={shown ?? ''}
      onChange={({ currentTarget }) => setCurrency.mutate({ currency: currentTarget.value || null })}
      data={[
        { value: '', label: t('noCurrency') },
        ...currencies.map(({ code, name }) => ({ value: code, label: `${name} · ${code}` })),
      ]}
    />
  );
}

/** What the member is notified of, in the panel and by e-mail. */
function NotificationChoices({ wanted }: { wanted: PreferencesOutput['notifications'] }) {
  const t = useTranslations('panel.preferences');
  const setNotification = api.preferences.setNotification.useMutation(useSaved());
  const pending = setNotification.isPending ? setNotification.variables : null;
  return (
    <Stack gap="sm">
      {OPTIONAL_NOTICES.map((name) => (
        <Switch
          key={name}
          label={t(`names.${name}`)}
          description={NOTICE_KINDS[name].mail === 'digest' ? t('inDigest') : undefined}
          checked={pending?.notification === name ? pending.wanted : wanted[name]}
          onChange={({ currentTarget }) =>
            setNotification.mutate({ notification: name, wanted: currentTarget.checked })
          }
        />
      ))}
      <Muted>{t('always')}</Muted>
    </Stack>
  );
}
