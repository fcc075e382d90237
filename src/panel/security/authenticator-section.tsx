import { Alert, Button, Code, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, Suspense, useState } from 'react';
import { api } from '#panel/api.tsx';
import { type AuthAnswer, authCall } from '#panel/auth/auth-call.ts';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { useAuthErrorText } from '#panel/auth/use-auth-error-text.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { guardedCall } from './guarded-call.ts';

const QrCode = lazyPart(() => import('qrcode.react'), 'QRCodeSVG');

type CallError = Extract<AuthAnswer, { ok: false }>;
type Step =
  | { name: 'password'; for: 'set_up' | 'turn_off' | 'new_codes' }
  | { name: 'scan'; uri: string; codes: string[] }
  | { name: 'codes'; codes: string[] };

/** The authenticator app: setting it up, its recovery codes, and taking it away. */
export function AuthenticatorSection({ isOn }: { isOn: boolean }) {
  const t = useTranslations('panel.security');
  const tShell = useTranslations('panel.shell');
  const textOf = useAuthErrorText();
  const utils = api.useUtils();
  const [step, setStep] = useState<Step | null>(null);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError | null>(null);

  const show = (next: Step | null) => {
    setStep(next);
    setError(null);
    setPassword('');
    setCode('');
    setBusy(false);
  };
  const close = () => {
    show(null);
    void utils.security.get.invalidate();
    void utils.session.me.invalidate();
  };
  const run = async (call: () => Promise<AuthAnswer>, done: (data: Record<string, unknown>) => void) => {
    setBusy(true);
    const answer = await call();
    setBusy(false);
    if (answer.ok) done(answer.data);
    else setError(answer);
  };
  const withPassword = (event: FormEvent) => {
    event.preventDefault();
    if (step?.name !== 'password') return;
    if (step.for === 'set_up') {
      return run(
        () => guardedCall('/two-factor/enable', { password }),
        (data) => show({ name: 'scan', uri: String(data.totpURI), codes: data.backupCodes as string[] }),
      );
    }
    if (step.for === 'turn_off') return run(() => guardedCall('/two-factor/disable', { password }), close);
    return run(
      () => guardedCall('/two-factor/generate-backup-codes', { password }),
      (data) => show({ name: 'codes', codes: data.backupCodes as string[] }),
    );
  };
  const withCode = (event: FormEvent) => {
    event.preventDefault();
    if (step?.name !== 'scan') return;
    const { codes } = step;
    return run(
      () => authCall('/two-factor/verify-totp', { code: code.replace(/\s/g, '') }),
      () => show({ name: 'codes', codes }),
    );
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
        closeButtonProps={{ 'aria-label': tShell('close') }}
        closeOnClickOutside={false}
      >
        {error && (
          <Alert color="red" variant="light" role="alert" mb="md">
            {textOf(error)}
          </Alert>
        )}
        {step?.name === 'password' && (
          <form onSubmit={withPassword}>
            <Stack>
              <Text fz="sm">{t(step.for === 'turn_off' ? 'turnOffText' : 'passwordFirst')}</Text>
              <PasswordField
                label={t('password')}
                autoComplete="current-password"
                data-autofocus
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
              <Button type="submit" loading={busy} {...(step.for === 'turn_off' && { color: 'red' })}>
                {t(step.for === 'turn_off' ? 'turnOff' : 'continue')}
              </Button>
            </Stack>
          </form>
        )}
        {step?.name === 'scan' && (
          <form onSubmit={withCode}>
            <Stack>
              <Text fz="sm">{t('scan')}</Text>
              <Group justify="center" bg="white" p="md" style={{ borderRadius: 8 }}>
                <Suspense fallback={<span style={{ height: 180 }} />}>
                  <QrCode value={step.uri} size={180} />
                </Suspense>
              </Group>
              <CopyText value={secretOf(step.uri)} label={t('secret')}>
                <Code data-testid="totp-secret">{inGroups(secretOf(step.uri))}</Code>
              </CopyText>
              <TextInput
                label={t('code')}
                inputMode="numeric"
                autoComplete="one-time-code"
                data-autofocus
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
              <Button type="submit" loading={busy}>
                {t('activate')}
              </Button>
            </Stack>
          </form>
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
