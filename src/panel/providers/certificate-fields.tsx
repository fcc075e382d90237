import { Group, Input, SegmentedControl, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { type ReactNode, useId, useState } from 'react';
import { CREDENTIAL_LENGTH_MAX } from '#contract/providers/provider-lengths.ts';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { ChooseFiles } from '#panel/uploads/choose-files.tsx';
import type { ConnectValues } from './use-connect-form.ts';

/** The client certificate that a PSP gave, as one file or as two. */
export function CertificateFields({ form }: { form: UseFormReturnType<ConnectValues> }) {
  const t = useTranslations('panel.providers.form');
  const set = (field: 'certificate' | 'private_key' | 'pkcs12') => ({
    error: form.errors[field],
    onRead: (text: string) => form.setFieldValue(field, text),
  });
  return (
    <Stack gap="sm">
      <SegmentedControl
        {...form.getInputProps('format')}
        aria-label={t('format')}
        data={(['pem', 'pkcs12'] as const).map((value) => ({ value, label: t(`formats.${value}`) }))}
      />
      {form.values.format === 'pem' ? (
        <>
          <FileField {...set('certificate')} label={t('certificate')} accept=".pem,.crt,.cer" read={readText} />
          <FileField {...set('private_key')} label={t('private_key')} accept=".pem,.key" read={readText} />
        </>
      ) : (
        <>
          <FileField {...set('pkcs12')} label={t('pkcs12')} accept=".p12,.pfx" read={readBase64} />
          <PasswordField
            {...form.getInputProps('passphrase')}
            label={t('passphrase')}
            description={t('passphraseHint')}
            name="credential"
            autoComplete="off"
            maxLength={CREDENTIAL_LENGTH_MAX}
          />
        </>
      )}
    </Stack>
  );
}

type FileFieldProps = {
  label: string;
  accept: string;
  error: ReactNode;
  read: (file: File) => Promise<string>;
  onRead: (text: string) => void;
};

/** Reads a file into a field, and shows only its name. */
function FileField({ label, accept, error, read, onRead }: FileFieldProps) {
  const t = useTranslations('panel.providers.form');
  const [name, setName] = useState('');
  const id = useId();
  const choose = async ([file]: readonly File[]) => {
    if (!file) return;
    onRead(await read(file));
    setName(file.name);
  };
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} error={error}>
      <Group gap="sm">
        <ChooseFiles size="xs" label={t('chooseFile')} accept={accept} onChoose={choose} aria-describedby={id} />
        <Muted style={{ overflowWrap: 'anywhere' }}>{name}</Muted>
      </Group>
    </Input.Wrapper>
  );
}

const readText = (file: File): Promise<string> => file.text();

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
