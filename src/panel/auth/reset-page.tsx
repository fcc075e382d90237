'use client';

import { Alert, Button, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { type AuthAnswer, authCall } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { useAuthErrorText } from './use-auth-error-text.ts';

/** Sets a new password with the token of a link that was mailed. */
export function ResetPage({ token }: { token: string }) {
  const t = useTranslations('auth');
  const textOf = useAuthErrorText();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Extract<AuthAnswer, { ok: false }> | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await authCall('/reset-password', { token, newPassword: password });
    if (answer.ok) return window.location.assign('/entrar?aviso=senha');
    setBusy(false);
    setError(answer);
  };
  return (
    <AuthCard title={t('resetTitle')} text={t('resetText')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {error && (
            <Alert color="red" variant="light" role="alert">
              {textOf(error)}
              {error.error === 'INVALID_TOKEN' && (
                <div>
                  <TextLink href="/senha" label={t('send')} />
                </div>
              )}
            </Alert>
          )}
          <PasswordField
            label={t('newPassword')}
            description={t('passwordHint')}
            autoComplete="new-password"
            autoFocus
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={busy}>
            {t('reset')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}
