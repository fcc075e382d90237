import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { AuthForm } from '#panel/auth/auth-form.tsx';
import { NewPasswordField, PasswordField } from '#panel/auth/password-field.tsx';
import { useAuthCall } from '#panel/auth/use-auth-call.ts';
import { useNotify } from '#panel/shell/use-notify.ts';
import { guardedCall } from './guarded-call.ts';
import { useReadAgain } from './use-read-again.ts';

/** Changes the password; the other sessions end with it. */
export function PasswordSection() {
  const t = useTranslations('panel.security');
  const notify = useNotify();
  const readAgain = useReadAgain();
  const call = useAuthCall();
  // Once it is changed the fields are empty again.
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
