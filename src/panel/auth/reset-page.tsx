'use client';

import { useTranslations } from 'next-intl';
import { TextLink } from '#panel/shell/links.tsx';
import { authCall } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { AuthForm } from './auth-form.tsx';
import { NewPasswordField } from './password-field.tsx';
import { useAuthCall } from './use-auth-call.ts';

/** Sets a new password with the token of a link that was mailed. */
export function ResetPage({ token }: { token: string }) {
  const t = useTranslations('auth');
  const call = useAuthCall();
  const submit = async ({ password }: Record<string, string>) => {
    const isSet = await call.run(authCall('/reset-password', { token, newPassword: password }), { leaves: true });
    if (isSet) window.location.assign('/entrar?aviso=senha');
  };
  const isOver = call.error?.error === 'INVALID_TOKEN' && (
    <>
      {call.text} <TextLink href="/senha" label={t('send')} display="block" />
    </>
  );
  return (
    <AuthCard title={t('resetTitle')} text={t('resetText')}>
      <AuthForm call={call} onSubmit={submit} submit={t('reset')} errorText={isOver}>
        <NewPasswordField label={t('newPassword')} description={t('passwordHint')} autoFocus />
      </AuthForm>
    </AuthCard>
  );
}
