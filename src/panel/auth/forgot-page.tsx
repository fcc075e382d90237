'use client';

import { Alert, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { TextLink } from '#panel/shell/links.tsx';
import { authCall } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { AuthForm } from './auth-form.tsx';
import { useAuthCall } from './use-auth-call.ts';
import { useEmailDraft } from './use-email-draft.ts';

/**
 * Asks for a link to make a new password; says the same whether there is such an account or not.
 * `mailFolder`: the installation writes mail into a folder, which the page says.
 */
export function ForgotPage({ mailFolder }: { mailFolder: boolean }) {
  const t = useTranslations('auth');
  const { email, input, clear } = useEmailDraft();
  const [isSent, setSent] = useState(false);
  const call = useAuthCall();
  const submit = async () => {
    if (!(await call.run(authCall('/request-password-reset', { email: email.trim() })))) return;
    clear();
    setSent(true);
  };
  return (
    <AuthCard
      title={t('forgotTitle')}
      text={isSent ? t('forgotSent', { email }) : t('forgotText')}
      footer={<TextLink href="/entrar" label={t('back')} />}
    >
      {mailFolder && (
        <Alert color="yellow" variant="light">
          {t('folderNotice')}
        </Alert>
      )}
      {!isSent && (
        <AuthForm call={call} onSubmit={submit} submit={t('send')}>
          <TextInput {...input} />
        </AuthForm>
      )}
    </AuthCard>
  );
}
