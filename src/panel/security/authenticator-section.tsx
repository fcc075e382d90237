import { Button, Code, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { api } from '#panel/api.tsx';
import { authCall } from '#panel/auth/auth-call.ts';
import { AuthForm } from '#panel/auth/auth-form.tsx';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { useAuthCall } from '#panel/auth/use-auth-call.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { guardedCall } from './guarded-call.ts';

const QrCode = lazyPart(() => import('qrcode.react'), 'QRCodeSVG');

type Step =
  | { name: 'password'; for: 'set_up' | 'turn_off' | 'new_codes' }
  | { name: 'scan'; uri: string; codes: string[] }
  | { name: 'codes'; codes: string[] };

const PATHS = {
  set_up: '/two-factor/enable',
  turn_off: '/two-factor/disable',
  new_codes: '/two-factor/generate-backup-codes',
} as const;

/** The authenticator app: setting it up, its recovery codes, and taking it away. */
export function AuthenticatorSection({ isOn }: { isOn: boolean }) {
  const t = useTranslations('panel.security');
  const tShell = useTranslations('panel.shell');
  const utils = api.useUtils();
  const call = useAuthCall();
  const [step, setStep] = useState<Step | null>(null);

  const show = (next: Step | null) => {
    setStep(next);
    call.setError(null);
  };
  const close = () => {
    show(null);
    void utils.security.get.invalidate();
    void utils.session.me.invalidate();
  };
  const withPassword = async ({ password }: Record<string, string>) => {
    if (step?.name !== 'password') return;
    const data = await call.run(guardedCall(PATHS[step.for], { password }));
    if (!data) return;
    const codes = data.backupCodes as string[];
    if (step.for === 'turn_off') close();
    else show(step.for === 'set_up' ? { name: 'scan', uri: String(data.totpURI), codes } : { name: 'codes', codes });
  };
  const withCode = async ({ code = '' }: Record<string, string>) => {
    if (step?.name !== 'scan') return;
    const { codes } = step;
    if (await call.run(authCall('/two-factor/verify-totp', { code: code.replace(/\s/g, '') }))) {
      show({ name: 'codes', codes });
    }
  };
  const title =
    step?.name === 'codes'
      ? t('codesTitle')
      : step?.name === 'password' && step.for === 'turn_off'
        ? t('turnOffTitle')
        : step?.name === 'password' && step.for === 'new_codes'
          ? t('newCodes')
          : t('setUpTitle');

  return (
    <>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fz="sm" fw={600}>
            {t('app')}
          </Text>
          <StatusBadge tone={isOn ? 'ok' : 'neutral'} label={t(isOn ? 'appOn' : 'appOff')} />
        </Group>
        {!isOn && <Button onClick={() => show({ name: 'password', for: 'set_up' })}>{t('setUp')}</Button>}
      </Group>
      {isOn && (
        <Group>
          <Button variant="default" onClick={() => show({ name: 'password', for: 'new_codes' })}>
            {t('newCodes')}
          </Button>
          <Button variant="default" onClick={() => show({ name: 'password', for: 'turn_off' })}>
            {t('turnOff')}
          </Button>
        </Group>
      )}
      <Modal
        opened={step !== null}
        onClose={step?.name === 'codes' ? close : () => show(null)}
        title={title}
        closeOnClickOutside={false}
      >
        {step?.name === 'password' && (
          <AuthForm
            call={call}
            onSubmit={withPassword}
            submit={t(step.for === 'turn_off' ? 'turnOff' : 'continue')}
            isDanger={step.for === 'turn_off'}
          >
            <Text fz="sm">{t(step.for === 'turn_off' ? 'turnOffText' : 'passwordFirst')}</Text>
            <PasswordField label={t('password')} data-autofocus />
          </AuthForm>
        )}
        {step?.name === 'scan' && (
          <AuthForm call={call} onSubmit={withCode} submit={t('activate')}>
            <Text fz="sm">{t('scan')}</Text>
            <Group justify="center" bg="white" p="md" style={{ borderRadius: 8 }}>
              <Suspense fallback={<span style={{ height: 180 }} />}>
                <QrCode value={step.uri} size={180} />
              </Suspense>
            </Group>
            <CopyText value={secretOf(step.uri)} label={t('secret')}>
              <Code data-testid="totp-secret">{inGroups(secretOf(step.uri))}</Code>
            </CopyText>
            <TextInput label={t('code')} name="code" inputMode="numeric" autoComplete="one-time-code" data-autofocus />
          </AuthForm>
        )}
        {step?.name === 'codes' && (
          <Stack>
            <Text fz="sm">{t('codesText')}</Text>
            <SimpleGrid cols={2} data-testid="recovery-codes">
              {step.codes.map((recoveryCode) => (
                <Code key={recoveryCode}>{recoveryCode}</Code>
              ))}
            </SimpleGrid>
            <CopyText value={step.codes.join('\n')} label={t('codesTitle')}>
              {tShell('copy')}
            </CopyText>
            <Button onClick={close}>{t('codesStored')}</Button>
          </Stack>
        )}
      </Modal>
    </>
  );
}

const secretOf = (uri: string) => new URL(uri).searchParams.get('secret') ?? '';
const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? '';
