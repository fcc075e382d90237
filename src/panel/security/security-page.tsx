'use client';

import { SimpleGrid } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { Waiting } from '#panel/shell/waiting.tsx';
import { Activity } from './activity.tsx';
import { AuthenticatorSection } from './authenticator-section.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { SessionSection } from './session-section.tsx';

/** How a member signs in, where they are signed in, and what was done. */
export function SecurityPage() {
  const t = useTranslations('panel.security');
  const security = api.security.get.useQuery();
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={security} skeleton={<Waiting columns heights={[180, 180, 180, 180]} />}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <Section title={t('secondFactor')} text={t('secondFactorText')}>
              <AuthenticatorSection isOn={data.has_totp} />
            </Section>
            <Section title={t('passkeys')} text={t('passkeysText')}>
              <PasskeySection passkeys={data.passkeys} />
            </Section>
            <Section title={t('passwordTitle')} text={t('passwordText')}>
              <PasswordSection />
            </Section>
            <Section title={t('sessions')}>
              <SessionSection sessions={data.sessions} />
            </Section>
            <Section title={t('people')}>
              <PeopleSection />
            </Section>
            <Section title={t('activity')}>
              <Activity />
            </Section>
          </SimpleGrid>
        )}
      </QueryState>
    </Page>
  );
}
