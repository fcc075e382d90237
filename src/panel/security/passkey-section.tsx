import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { api } from '#panel/api.tsx';
import type { AuthAnswer } from '#panel/auth/auth-call.ts';
import { useAuthErrorText } from '#panel/auth/use-auth-error-text.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { guardedCall } from './guarded-call.ts';
import { addPasskey } from './passkey-client.ts';

type Passkey = { id: string; name: string | null; created_at: string | null };

const NAME_LENGTH_MAX = 60;

/** The passkeys of a member: adding one, and taking one away. */
export function PasskeySection({ passkeys }: { passkeys: Passkey[] }) {
  const t = useTranslations('panel.security');
  const tShell = useTranslations('panel.shell');
  const formats = useFormats();
  const textOf = useAuthErrorText();
  const utils = api.useUtils();
  const [adding, setAdding] = useState(false);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Extract<AuthAnswer, { ok: false }> | null>(null);

  const done = (answer: AuthAnswer, message: string) => {
    setBusy(false);
    if (!answer.ok) return setError(answer);
    setAdding(false);
    setError(null);
    notifications.show({ message, color: 'green' });
    void utils.security.get.invalidate();
    void utils.session.me.invalidate();
  };
  const add = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    done(await addPasskey(name.trim() || t('passkeyUnnamed')), t('passkeyAdded'));
  };
  const remove = async (id: string) => done(await guardedCall('/passkey/delete-passkey', { id }), t('passkeyRemoved'));

  return (
    <Stack gap="sm" align="flex-start">
      <ErrorAlert text={error && !adding && textOf(error)} />
      {passkeys.length === 0 && <Text fz="sm">{t('passkeysNone')}</Text>}
      {passkeys.map((passkey) => {
        const label = passkey.name ?? t('passkeyUnnamed');
        return (
          <Group key={passkey.id} justify="space-between" w="100%">
            <Text fz="sm">
              {label}{' '}
              {passkey.created_at && (
                <Muted span>{t('passkeySince', { at: formats.instant(passkey.created_at) })}</Muted>
              )}
            </Text>
            <Button
              size="xs"
              variant="default"
              aria-label={t('passkeyRemoveWhat', { name: label })}
              onClick={() => remove(passkey.id)}
            >
              {t('passkeyRemove')}
            </Button>
          </Group>
        );
      })}
      <Button variant="default" onClick={() => setAdding(true)}>
        {t('passkeyAdd')}
      </Button>
      <Modal
        opened={adding}
        onClose={() => setAdding(false)}
        title={t('passkeyAddTitle')}
        closeButtonProps={{ 'aria-label': tShell('close') }}
      >
        <form onSubmit={add}>
          <Stack>
            <ErrorAlert text={error && textOf(error)} />
            <TextInput
              label={t('passkeyName')}
              maxLength={NAME_LENGTH_MAX}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" loading={busy}>
              {t('passkeyAdd')}
            </Button>
          </Stack>
        </form>
      </Modal>
    </Stack>
  );
}
