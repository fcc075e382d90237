import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { SecurityOutput } from '#contract/members/security.ts';
import type { AuthAnswer } from '#panel/auth/auth-call.ts';
import { typedValues } from '#panel/auth/auth-form.tsx';
import { useAuthCall } from '#panel/auth/use-auth-call.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { addPasskey } from './add-passkey.ts';
import { EntryButton, EntryList } from './entry-list.tsx';
import { guardedCall } from './guarded-call.ts';
import { useReadAgain } from './use-read-again.ts';

// Most visits open no dialog.
const FormDialog = lazyPart(() => import('#panel/shell/form-dialog.tsx'), 'FormDialog');

type Passkey = SecurityOutput['passkeys'][number];

const NAME_LENGTH_MAX = 60;

/** The passkeys of a member: adding one, and taking one away. */
export function PasskeySection({ passkeys }: Pick<SecurityOutput, 'passkeys'>) {
  const t = useTranslations('panel.security');
  const formats = useFormats();
  const readAgain = useReadAgain();
  const notify = useNotify();
  const call = useAuthCall();
  const [adding, setAdding] = useState(false);
  const run = async (asked: Promise<AuthAnswer>, message: string) => {
    if (!(await call.run(asked))) return;
    setAdding(false);
    notify.done(message);
    readAgain();
  };
  const nameOf = ({ name }: Passkey) => name ?? t('passkeyUnnamed');
  return (
    <Stack gap="sm" align="flex-start">
      <ErrorAlert text={!adding && call.text} />
      {passkeys.length === 0 ? (
        <Text fz="sm">{t('passkeysNone')}</Text>
      ) : (
        <EntryList
          rows={passkeys}
          entry={(passkey) => (
            <Text fz="sm">
              {nameOf(passkey)}{' '}
              {passkey.created_at && (
                <Muted span>{t('passkeySince', { at: formats.instant(passkey.created_at) })}</Muted>
              )}
            </Text>
          )}
          aside={(passkey) => (
            <EntryButton
              label={t('passkeyRemove')}
              name={t('passkeyRemoveWhat', { name: nameOf(passkey) })}
              onClick={() => run(guardedCall('/passkey/delete-passkey', { id: passkey.id }), t('passkeyRemoved'))}
            />
          )}
        />
      )}
      <Button variant="default" onClick={() => setAdding(true)}>
        {t('passkeyAdd')}
      </Button>
      <Suspense fallback={null}>
        {adding && (
          <FormDialog
            title={t('passkeyAddTitle')}
            submit={t('passkeyAdd')}
            call={call}
            errorText={call.text}
            onSubmit={(event) =>
              run(addPasskey(typedValues(event).name?.trim() || t('passkeyUnnamed')), t('passkeyAdded'))
            }
            onClose={() => setAdding(false)}
          >
            <TextInput label={t('passkeyName')} name="name" maxLength={NAME_LENGTH_MAX} data-autofocus />
          </FormDialog>
        )}
      </Suspense>
    </Stack>
  );
}
