'use client';

import { Box, SimpleGrid, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { api } from '#panel/api.tsx';
import { AuthForm } from '#panel/auth/auth-form.tsx';
import { NewPasswordField, PasswordField } from '#panel/auth/password-field.tsx';
import { useAuthCall } from '#panel/auth/use-auth-call.ts';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { Waiting } from '#panel/shell/waiting.tsx';
import { Activity } from './activity.tsx';
import { AuthenticatorSection } from './authenticator-section.tsx';
import { guardedCall } from './guarded-call.ts';
import { PasskeySection } from './passkey-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { SessionSection } from './session-section.tsx';
import { useReadAgain } from './use-read-again.ts';

/** How a member signs in, where they are signed in, and what was done. */
export function SecurityPage() {
  const t = useTranslations('panel.security');
  const { may } = usePanel();
  const security = api.security.get.useQuery();
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={security} skeleton={<Waiting columns heights={[180, 180, 180, 180]} />}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <Stack gap="md">
              <Section title={t('secondFactor')} text={t('secondFactorText')}>
                <AuthenticatorSection isOn={data.has_totp} hasPasskeys={data.passkeys.length > 0} />
              </Section>
              <Section title={t('passkeys')} text={t('passkeysText')}>
                <PasskeySection passkeys={data.passkeys} />
              </Section>
              <Section title={t('passwordTitle')} text={t('passwordText')}>
                <PasswordSection />
              </Section>
            </Stack>
            <Stack gap="md">
              <Section title={t('sessions')}>
                <SessionSection sessions={data.sessions} />
              </Section>
              {may('people.list') && <PeopleSection />}
            </Stack>
          </SimpleGrid>
        )}
      </QueryState>
      {may('security.activity') && (
        <Box mt="md">
          <Section title={t('activity')}>
            <Activity />
          </Section>
        </Box>
      )}
    </Page>
  );
}

/** Changes the password; the other sessions end with it. */
function PasswordSection() {
  const t = useTranslations('panel.security');
  const notify = useNotify();
  const readAgain = useReadAgain();
  const call = useAuthCall();
  // A new key empties the fields after a change.
  const [changes, setChanges] = useState(0);
  const submit = async ({ currentPassword, newPassword }: Record<string, string>) => {
    if (!(await call.run(guardedCall('/change-password', { currentPassword, newPassword })))) return;
    setChanges(changes + 1);
    notify.done(t('passwordChanged'));
    readAgain();
  };
  return (
    <AuthForm key={changes} isQuiet call={call} onSubmit={submit} submit={t('passwordChange')}>
      <PasswordField label={t('passwordCurrent')} name="currentPassword" required />
      <NewPasswordField label={t('passwordNew')} name="newPassword" description={t('passwordHint')} />
    </AuthForm>
  );
}
