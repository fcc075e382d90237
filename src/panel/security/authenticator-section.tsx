import { Button, Code, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, Suspense, useState } from 'react';
import { typedValues } from '#panel/auth/auth-form.tsx';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { useAuthCall } from '#panel/auth/use-auth-call.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { guardedCall, ownAccessCall } from './guarded-call.ts';
import { useReadAgain } from './use-read-again.ts';

const FormDialog = lazyPart(() => import('#panel/shell/form-dialog.tsx'), 'FormDialog');
const QrCode = lazyPart(() => import('qrcode.react'), 'QRCodeSVG');

type Step =
  | { name: 'set_up' | 'turn_off' | 'new_codes' }
  | { name: 'scan'; uri: string; codes: string[] }
  | { name: 'codes'; codes: string[] };

/** The texts of each step; a step with a path asks for the password first. */
const STEPS = {
  set_up: { title: 'setUpTitle', text: 'passwordFirst', submit: 'continue', path: '/two-factor/enable' },
  turn_off: { title: 'turnOffTitle', text: 'turnOffText', submit: 'turnOff', path: '/two-factor/disable' },
  new_codes: {
    title: 'newCodes',
    text: 'passwordFirst',
    submit: 'continue',
    path: '/two-factor/generate-backup-codes',
  },
  scan: { title: 'setUpTitle', text: 'scan', submit: 'activate', path: null },
  codes: { title: 'codesTitle', text: 'codesText', submit: 'codesStored', path: null },
} as const;

/** The authenticator app: setting it up, its recovery codes, and taking it away. */
export function AuthenticatorSection({ isOn, hasPasskeys }: { isOn: boolean; hasPasskeys: boolean }) {
  const t = useTranslations('panel.security');
  const readAgain = useReadAgain();
  const call = useAuthCall();
  const [step, setStep] = useState<Step | null>(null);
  const show = (next: Step | null) => {
    setStep(next);
    call.setError(null);
    if (next === null) readAgain();
  };
  return (
    <>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fz="sm" fw={600}>
            {t('app')}
          </Text>
          <StatusBadge tone={isOn ? 'ok' : 'neutral'} label={t(isOn ? 'appOn' : 'appOff')} />
        </Group>
        {!isOn && <Button onClick={() => show({ name: 'set_up' })}>{t('setUp')}</Button>}
      </Group>
      {isOn && (
        <Group>
          <Button variant="default" onClick={() => show({ name: 'new_codes' })}>
            {t('newCodes')}
          </Button>
          <Button variant="default" onClick={() => show({ name: 'turn_off' })}>
            {t('turnOff')}
          </Button>
        </Group>
      )}
      <Suspense fallback={null}>
        {step && <StepDialog key={step.name} step={step} hasPasskeys={hasPasskeys} call={call} show={show} />}
      </Suspense>
    </>
  );
}

type DialogProps = {
  step: Step;
  hasPasskeys: boolean;
  call: ReturnType<typeof useAuthCall>;
  show: (next: Step | null) => void;
};

function StepDialog({ step, hasPasskeys, call, show }: DialogProps) {
  const t = useTranslations('panel.security');
  const tShell = useTranslations('panel.shell');
  const { title, text, submit, path } = STEPS[step.name];
  const goOn = async (event: FormEvent<HTMLFormElement>) => {
    const { password, code = '' } = typedValues(event);
    if (step.name === 'codes') return show(null);
    if (step.name === 'scan') {
      const isOn = await call.run(ownAccessCall('/two-factor/verify-totp', { code: code.replace(/\s/g, '') }));
      return isOn && show({ name: 'codes', codes: step.codes });
    }
    const data = await call.run(guardedCall(STEPS[step.name].path, { password }));
    if (!data) return;
    const codes = data.backupCodes as string[];
    if (step.name === 'turn_off') show(null);
    else show(step.name === 'set_up' ? { name: 'scan', uri: String(data.totpURI), codes } : { name: 'codes', codes });
  };
  return (
    <FormDialog
      title={t(title)}
      submit={t(submit)}
      {...(step.name === 'codes' && { cancel: null })}
      isDanger={step.name === 'turn_off'}
      isDirty={path === null}
      call={call}
      errorText={call.text}
      onSubmit={goOn}
      onClose={() => show(null)}
    >
      <Text fz="sm">{t(text === 'turnOffText' && hasPasskeys ? 'turnOffPasskeysLeft' : text)}</Text>
      {path !== null && <PasswordField label={t('password')} data-autofocus />}
      {step.name === 'scan' && (
        <>
          <Group justify="center" bg="white" p="md" style={{ borderRadius: 8 }}>
            <Suspense fallback={<span style={{ height: 180 }} />}>
              <QrCode value={step.uri} size={180} />
            </Suspense>
          </Group>
          <CopyText value={secretOf(step.uri)} label={t('secret')}>
            <Code data-testid="totp-secret">
              {secretOf(step.uri)
                .match(/.{1,4}/g)
                ?.join(' ')}
            </Code>
          </CopyText>
          <TextInput label={t('code')} name="code" inputMode="numeric" autoComplete="one-time-code" data-autofocus />
        </>
      )}
      {step.name === 'codes' && (
        <>
          <SimpleGrid cols={2} data-testid="recovery-codes">
            {step.codes.map((recoveryCode) => (
              <Code key={recoveryCode}>{recoveryCode}</Code>
            ))}
          </SimpleGrid>
          <CopyText value={step.codes.join('\n')} label={t('codesTitle')}>
            {tShell('copy')}
          </CopyText>
        </>
      )}
    </FormDialog>
  );
}

const secretOf = (uri: string) => new URL(uri).searchParams.get('secret') ?? '';
