import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { api } from '#panel/api.tsx';
import type { AuthAnswer } from '#panel/auth/auth-call.ts';
import { AuthForm } from '#panel/auth/auth-form.tsx';
import { useAuthCall } from '#panel/auth/use-auth-call.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { guardedCall } from './guarded-call.ts';
import { addPasskey } from './passkey-client.ts';

type Passkey = { id: string; name: string | null; created_at: string | null };

const NAME_LENGTH_MAX = 60;

/** The passkeys of a member: adding one, and taking one away. */
export function PasskeySection({ passkeys }: { passkeys: Passkey[] }) {
  const t = useTranslations('panel.security');
  const formats = useFormats();
  const utils = api.useUtils();
  const notify = useNotify();
  const call = useAuthCall();
  const [adding, setAdding] = useState(false);

  const run = async (asked: Promise<AuthAnswer>, message: string) => {
    if (!(await call.run(asked))) return;
    setAdding(false);
    notify.done(message);
    void utils.security.get.invalidate();
    void utils.session.me.invalidate();
  };
  const add = ({ name = '' }: Record<string, string>) =>
    run(addPasskey(name.trim() || t('passkeyUnnamed')), t('passkeyAdded'));
  const remove = (id: string) => run(guardedCall('/passkey/delete-passkey', { id }), t('passkeyRemoved'));

  return (
    <Stack gap="sm" align="flex-start">
      <ErrorAlert text={!adding && call.text} />
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
      <Modal opened={adding} onClose={() => setAdding(false)} title={t('passkeyAddTitle')}>
        <AuthForm call={call} onSubmit={add} submit={t('passkeyAdd')}>
          <TextInput label={t('passkeyName')} name="name" maxLength={NAME_LENGTH_MAX} data-autofocus />
        </AuthForm>
      </Modal>
    </Stack>
  );
}
