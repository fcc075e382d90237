'use client';

import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { type AuthAnswer, authCall } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { useAuthErrorText } from './use-auth-error-text.ts';
import { useEmailDraft } from './use-email-draft.ts';

/** Asks for a link to make a new password; says the same whether there is such an account or not. `mailFolder`: as for who signs up. */
export function ForgotPage({ mailFolder }: { mailFolder: boolean }) {
  const t = useTranslations('auth');
  const textOf = useAuthErrorText();
  const { email, setEmail, clear } = useEmailDraft();
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<AuthAnswer | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answered = await authCall('/request-password-reset', { email: email.trim() });
    if (answered.ok) clear();
    setAnswer(answered);
    setBusy(false);
  };
  return (
    <AuthCard
      title={t('forgotTitle')}
      text={answer?.ok ? t('forgotSent', { email }) : t('forgotText')}
      footer={<TextLink href="/entrar" label={t('back')} />}
    >
      {mailFolder && (
        <Alert color="yellow" variant="light">
          {t('folderNotice')}
        </Alert>
      )}
      {!answer?.ok && (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <ErrorAlert text={answer && textOf(answer)} />
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Button type="submit" fullWidth loading={busy}>
              {t('send')}
            </Button>
          </Stack>
        </form>
      )}
    </AuthCard>
  );
}
