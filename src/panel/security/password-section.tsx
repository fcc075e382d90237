import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { api } from '#panel/api.tsx';
import type { AuthAnswer } from '#panel/auth/auth-call.ts';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { useAuthErrorText } from '#panel/auth/use-auth-error-text.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { guardedCall } from './guarded-call.ts';

/** Changes the password; the other sessions end with it. */
export function PasswordSection() {
  const t = useTranslations('panel.security');
  const textOf = useAuthErrorText();
  const utils = api.useUtils();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Extract<AuthAnswer, { ok: false }> | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await guardedCall('/change-password', { currentPassword, newPassword });
    setBusy(false);
    if (!answer.ok) return setError(answer);
    setError(null);
    setCurrent('');
    setNew('');
    notifications.show({ message: t('passwordChanged'), color: 'green' });
    void utils.security.get.invalidate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        <ErrorAlert text={error && textOf(error)} />
        <PasswordField
          label={t('passwordCurrent')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          w="100%"
          value={currentPassword}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordField
          label={t('passwordNew')}
          description={t('passwordHint')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          w="100%"
          value={newPassword}
          onChange={(event) => setNew(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={busy}>
          {t('passwordChange')}
        </Button>
      </Stack>
    </form>
  );
}
