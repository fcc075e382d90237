'use client';

import { Alert, Button, Divider, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { TextLink } from '#panel/shell/links.tsx';
import { safeNext } from '#panel/shell/sign-in-address.ts';
import { authCall, authError } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { AuthForm } from './auth-form.tsx';
import { askForPasskey, hasPasskeys } from './passkey-sign-in.ts';
import { PasswordField } from './password-field.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';
import { useAuthCall } from './use-auth-call.ts';
import { useEmailDraft } from './use-email-draft.ts';

/**
 * E-mail and password, or a passkey; then the second factor, where one is set up. `next` is the
 * page to go on with; `notice` is the message of the link that led here.
 */
export function SignInPage({ next, notice }: { next: string | null; notice: 'reset' | null }) {
  const t = useTranslations('auth');
  const [needsFactor, setNeedsFactor] = useState(false);
  const { email, input, clear } = useEmailDraft();
  const call = useAuthCall();
  const goOn = () => {
    clear();
    window.location.assign(safeNext(next, '/'));
  };
  const submit = async ({ password }: Record<string, string>) => {
    const done = await call.run(authCall('/sign-in/email', { email: email.trim(), password }), { leaves: true });
    if (done?.twoFactorRedirect) setNeedsFactor(true);
    else if (done) goOn();
  };
  const withPasskey = async () => {
    call.setError(null);
    if (!hasPasskeys()) return call.setError(authError('passkeyUnsupported'));
    if (await askForPasskey({ confirm: false })) goOn();
    else call.setError(authError('passkey'));
  };
  if (needsFactor) return <SecondFactorStep onDone={goOn} onBack={() => setNeedsFactor(false)} />;
  const footer = (
    <>
      {t('noAccount')}
      <TextLink href="/cadastro" label={t('signUp')} />
    </>
  );
  return (
    <AuthCard title={t('signInTitle')} footer={footer}>
      <AuthForm call={call} onSubmit={submit} submit={t('signIn')}>
        {notice === 'reset' && !call.error && (
          <Alert color="green" variant="light" role="status">
            {t('resetDone')}
          </Alert>
        )}
        <TextInput {...input} autoComplete="username webauthn" />
        <PasswordField label={t('password')} required />
        <TextLink href="/senha" label={t('forgot')} />
      </AuthForm>
      <Divider label={t('or')} />
      <Button variant="default" fullWidth onClick={withPasskey}>
        {t('withPasskey')}
      </Button>
    </AuthCard>
  );
}
