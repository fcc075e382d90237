import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { type AuthAnswer, authCall } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { useAuthErrorText } from './use-auth-error-text.ts';

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function SecondFactorStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const t = useTranslations('auth');
  const textOf = useAuthErrorText();
  const [way, setWay] = useState<'code' | 'recovery'>('code');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Extract<AuthAnswer, { ok: false }> | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const path = way === 'code' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
    const answer = await authCall(path, { code: code.replace(/\s/g, '') });
    if (answer.ok) return onDone();
    setBusy(false);
    setCode('');
    setError(answer);
  };
  const choose = () => {
    setWay(way === 'code' ? 'recovery' : 'code');
    setCode('');
    setError(null);
  };
  return (
    <AuthCard title={t('codeTitle')} text={t(way === 'code' ? 'codeText' : 'recoveryText')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <ErrorAlert text={error && textOf(error)} />
          <TextInput
            key={way}
            label={t(way)}
            autoFocus
            autoComplete="one-time-code"
            inputMode={way === 'code' ? 'numeric' : 'text'}
            required
            withAsterisk={false}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Anchor component="button" type="button" fz="sm" onClick={choose}>
            {t(way === 'code' ? 'useRecovery' : 'useCode')}
          </Anchor>
          <Group justify="space-between">
            <Button variant="default" onClick={onBack}>
              {t('back')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('continue')}
            </Button>
          </Group>
        </Stack>
      </form>
    </AuthCard>
  );
}
