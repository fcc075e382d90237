import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api } from '#panel/api.tsx';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { loadPart } from '#panel/connection/lazy-part.ts';
import type { ApprovalRequest } from './approval.ts';
import { ApprovalSummary } from './approval-summary.tsx';
import { reasonOf, useErrorText } from './call-error.ts';
import { ErrorAlert } from './error-alert.tsx';
import { usePanel } from './use-panel.ts';

const CODE = /^\d{6}$/;

type Way = 'code' | 'recovery' | 'password';

const WRONG = { code: 'wrongCode', recovery: 'wrongRecovery', password: 'wrongPassword' } as const;

/**
 * Asks for a fresh second factor (the password, where none is set up), and says what it approves.
 */
export function ConfirmationDialog({
  open,
  request,
  onAnswer: close,
}: {
  open: boolean;
  request: ApprovalRequest;
  onAnswer: (confirmed: boolean) => void;
}) {
  const { me } = usePanel();
  const t = useTranslations('panel.shell');
  return (
    <Modal opened={open} onClose={() => close(false)} title={t('confirm.title')} centered zIndex={400}>
      {open && <Question request={request} hasSecondFactor={me.has_second_factor} onAnswer={close} />}
    </Modal>
  );
}

function Question(props: {
  request: ApprovalRequest;
  hasSecondFactor: boolean;
  onAnswer: (confirmed: boolean) => void;
}) {
  const { request, hasSecondFactor, onAnswer } = props;
  const t = useTranslations('panel.shell.confirm');
  const textOf = useErrorText();
  const [way, setWay] = useState<Way>(hasSecondFactor ? 'code' : 'password');
  const [value, setValue] = useState('');
  const [passkeyFailed, setPasskeyFailed] = useState(false);
  const confirm = api.session.confirm.useMutation({
    onSuccess: () => onAnswer(true),
    onError: () => setValue(''),
  });
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another way, or a wrong answer, begins in its field again.
  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>('[data-autofocus]')?.focus();
  }, [way, confirm.error]);
  const send = (text: string) => {
    if (confirm.isPending || text === '') return;
    confirm.mutate(way === 'code' ? { code: text } : way === 'recovery' ? { recovery_code: text } : { password: text });
  };
  const typeCode = (text: string) => {
    setValue(text);
    // Apps show a code with a space in the middle.
    const code = text.replace(/\s/g, '');
    if (CODE.test(code)) send(code);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(way === 'code' ? value.replace(/\s/g, '') : value);
  };
  const withPasskey = async () => {
    setPasskeyFailed(false);
    // Only whoever uses a passkey needs its code.
    const { confirmWithPasskey } = await loadPart(() => import('#panel/security/passkey-client.ts'));
    if (await confirmWithPasskey()) onAnswer(true);
    else setPasskeyFailed(true);
  };
  const choose = (other: Way) => {
    setWay(other);
    setValue('');
    confirm.reset();
  };
  return (
    <form ref={form} onSubmit={submit}>
      <Stack>
        <ApprovalSummary request={request} />
        <Text fz="sm">{t(way === 'password' ? 'textPassword' : 'textCode')}</Text>
        <ErrorAlert
          text={
            confirm.error && (reasonOf(confirm.error) === 'confirmation_failed' ? t(WRONG[way]) : textOf(confirm.error))
          }
        />
        <ErrorAlert text={passkeyFailed && t('passkeyFailed')} />
        {way === 'code' && (
          <TextInput
            label={t('code')}
            value={value}
            onChange={(event) => typeCode(event.currentTarget.value)}
            data-autofocus
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        )}
        {way === 'recovery' && (
          <TextInput
            label={t('recovery')}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            data-autofocus
            autoComplete="off"
          />
        )}
        {way === 'password' && (
          <PasswordField
            label={t('password')}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            data-autofocus
            autoComplete="current-password"
          />
        )}
        {hasSecondFactor && (
          <Group gap="md">
            <Anchor
              component="button"
              type="button"
              fz="sm"
              onClick={() => choose(way === 'code' ? 'recovery' : 'code')}
            >
              {t(way === 'code' ? 'useRecovery' : 'useCode')}
            </Anchor>
            <Anchor component="button" type="button" fz="sm" onClick={withPasskey}>
              {t('usePasskey')}
            </Anchor>
          </Group>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onAnswer(false)}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            {t('submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
