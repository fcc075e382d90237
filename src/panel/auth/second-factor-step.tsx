import { Anchor, Button, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { authCall } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { AuthForm } from './auth-form.tsx';
import { useAuthCall } from './use-auth-call.ts';

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function SecondFactorStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const t = useTranslations('auth');
  const [way, setWay] = useState<'code' | 'recovery'>('code');
  const [code, setCode] = useState('');
  const call = useAuthCall();
  const submit = async () => {
    const path = way === 'code' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
    if (await call.run(authCall(path, { code: code.replace(/\s/g, '') }), { leaves: true })) onDone();
    else setCode('');
  };
  const choose = () => {
    setWay(way === 'code' ? 'recovery' : 'code');
    setCode('');
    call.setError(null);
  };
  const back = (
    <Button variant="default" onClick={onBack}>
      {t('back')}
    </Button>
  );
  return (
    <AuthCard title={t('codeTitle')} text={t(way === 'code' ? 'codeText' : 'recoveryText')}>
      <AuthForm call={call} onSubmit={submit} submit={t('continue')} back={back}>
        <TextInput
          key={way}
          label={t(way)}
          autoFocus
          autoComplete="one-time-code"
          inputMode={way === 'code' ? 'numeric' : 'text'}
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Anchor component="button" type="button" fz="sm" onClick={choose}>
          {t(way === 'code' ? 'useRecovery' : 'useCode')}
        </Anchor>
      </AuthForm>
    </AuthCard>
  );
}
