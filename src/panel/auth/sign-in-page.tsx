'use client';

import { Alert, Button, Divider, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { safeNext } from '#panel/shell/sign-in-address.ts';
import { type AuthAnswer, authCall } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { askForPasskey, hasPasskeys } from './passkey-sign-in.ts';
import { SecondFactorStep } from './second-factor-step.tsx';
import { useAuthErrorText } from './use-auth-error-text.ts';
import { useEmailDraft } from './use-email-draft.ts';

type CallError = Extract<AuthAnswer, { ok: false }>;

/** E-mail and password, or a passkey; then, where one is set up, the second factor. `notice` is what a link that led here has to say. */
export function SignInPage({ next, notice }: { next: string | null; notice: 'reset' | null }) {
  const t = useTranslations('auth');
  const textOf = useAuthErrorText();
  const [step, setStep] = useState<'password' | 'second_factor'>('password');
  const { email, setEmail, clear } = useEmailDraft();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const goOn = () => {
    clear();
    window.location.assign(safeNext(next, '/'));
  };
  const refused = (error: string): CallError => ({ ok: false, error, params: {}, fields: {} });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const answer = await authCall('/sign-in/email', { email: email.trim(), password });
    if (answer.ok && !answer.data.twoFactorRedirect) return goOn();
    setBusy(false);
    if (answer.ok) setStep('second_factor');
    else setError(answer);
  };
  const withPasskey = async () => {
    setError(null);
    if (!hasPasskeys()) return setError(refused('passkeyUnsupported'));
    if (await askForPasskey({ confirm: false })) goOn();
    else setError(refused('passkey'));
  };

  if (step === 'second_factor') return <SecondFactorStep onDone={goOn} onBack={() => setStep('password')} />;
  return (
    <AuthCard
      title={t('signInTitle')}
      footer={
        <>
          {t('noAccount')}
          <TextLink href="/cadastro" label={t('signUp')} />
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          {notice === 'reset' && !error && (
            <Alert color="green" variant="light" role="status">
              {t('resetDone')}
            </Alert>
          )}
          <ErrorAlert text={error && textOf(error)} />
          <TextInput
            label={t('email')}
            type="email"
            name="email"
            autoComplete="username webauthn"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordField
            label={t('password')}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <TextLink href="/senha" label={t('forgot')} />
          <Button type="submit" fullWidth loading={busy}>
            {t('signIn')}
          </Button>
        </Stack>
      </form>
      <Divider label={t('or')} />
      <Button variant="default" fullWidth onClick={withPasskey}>
        {t('withPasskey')}
      </Button>
    </AuthCard>
  );
}
