import { Alert, Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import {
  ACCOUNT_NUMBER_LENGTH_MAX,
  CREDENTIAL_LENGTH_MAX,
  PIX_KEY_LENGTH_MAX,
} from '#contract/providers/provider-lengths.ts';
import type { ProviderRail, SandboxOffer } from '#contract/providers/providers.ts';
import { PSPS } from '#domain/providers/providers.ts';
import { api } from '#panel/api.tsx';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { CertificateFields } from './certificate-fields.tsx';
import { FindingList, type Findings } from './finding-list.tsx';

import { type ConnectValues, inputOf, useConnectForm } from './use-connect-form.ts';

type Props = {
  kind: ProviderRail['kind'];
  isReplacing: boolean;
  sandbox: SandboxOffer;
  onClose: () => void;
};

/** Asks for credentials, has the provider asked about them, and shows its answer. */
export function ConnectDrawer({ kind, isReplacing, sandbox, onClose }: Props) {
  const t = useTranslations('panel.providers.form');
  const notify = useNotify();
  const utils = api.useUtils();
  const { form, errorsOf } = useConnectForm(kind, sandbox !== null);
  const connect = api.providers.connect.useMutation({
    onSuccess({ connected, findings }) {
      if (!connected) return;
      notify.done(t(cannotSend(findings) ? 'noPayouts' : 'saved'));
      onClose();
    },
    onError: (error) => form.setErrors(errorsOf(error)),
    onSettled: () => utils.invalidate(),
  });
  const { provider } = form.values;
  const rejected = connect.data?.connected === false ? connect.data.findings : null;
  const fill = (offer: NonNullable<SandboxOffer>) =>
    form.setValues({
      ...{ client_id: offer.client_id, client_secret: offer.client_secret },
      ...{ pix_key: offer.pix_key, api_key: offer.api_key },
    });
  return (
    <FormDialog
      isDrawer
      isDirty={form.isDirty()}
      title={t(`title.${kind}`)}
      submit={t('submit')}
      call={connect}
      onSubmit={form.onSubmit((values: ConnectValues) => connect.mutate(inputOf(kind, values)), focusFirst)}
      onClose={onClose}
    >
      <Muted>{t('intro')}</Muted>
      {isReplacing && <Text fz="sm">{t('replacing')}</Text>}
      {sandbox && (
        <Button variant="default" onClick={() => fill(sandbox)}>
          {t('fill')}
        </Button>
      )}
      {kind === 'api_pix' ? (
        <>
          {!sandbox && <ProviderSelect {...form.getInputProps('provider')} />}
          <TextInput
            {...form.getInputProps('client_id')}
            label={t('client_id')}
            maxLength={CREDENTIAL_LENGTH_MAX}
            autoComplete="off"
            data-autofocus
          />
          {provider !== 'sicoob' && <Secret {...form.getInputProps('client_secret')} label={t('client_secret')} />}
          <TextInput
            {...form.getInputProps('pix_key')}
            label={t('pix_key')}
            description={t('pixKeyHint')}
            maxLength={PIX_KEY_LENGTH_MAX}
            autoComplete="off"
          />
          {provider === 'bb' && <Secret {...form.getInputProps('app_key')} label={t('app_key')} />}
          {provider === 'inter' && (
            <TextInput
              {...form.getInputProps('account_number')}
              label={t('account_number')}
              description={t('accountNumberHint')}
              maxLength={ACCOUNT_NUMBER_LENGTH_MAX}
              inputMode="numeric"
              autoComplete="off"
            />
          )}
          {provider !== 'sandbox' && <CertificateFields form={form} />}
        </>
      ) : (
        <Secret {...form.getInputProps('api_key')} label={t('api_key')} data-autofocus />
      )}
      {rejected && !connect.isPending && <Rejection findings={rejected} />}
    </FormDialog>
  );
}

/** Puts the cursor on the first field that has an issue. */
function focusFirst(errors: object): void {
  const places = Object.keys(errors).map((field) => `[data-path="${field}"]`);
  if (places.length > 0) document.querySelector<HTMLElement>(places.join())?.focus();
}

const cannotSend = (findings: Findings) =>
  findings.some(({ route, answer }) => route === 'payouts' && answer !== 'can');

function ProviderSelect(props: object) {
  const t = useTranslations('panel.providers');
  return (
    <NativeSelect
      {...props}
      label={t('provider')}
      data={PSPS.map((value) => ({ value, label: t(`names.${value}`) }))}
    />
  );
}

/** A field that password managers neither store nor fill in. */
const Secret = (props: { label: string }) => (
  <PasswordField
    {...props}
    name="credential"
    autoComplete="off"
    maxLength={CREDENTIAL_LENGTH_MAX}
    data-1p-ignore
    data-lpignore="true"
  />
);

function Rejection({ findings }: { findings: Findings }) {
  const t = useTranslations('panel.providers.form');
  const worst = findings.find(({ route, answer }) => route !== 'payouts' && answer !== 'can');
  return (
    <Alert color="red" variant="light" p="sm" role="alert" title={t('rejectedTitle')}>
      <FindingList findings={findings} />
      <Text fz="sm">{t(`hints.${worst?.answer ?? 'unclear'}`)}</Text>
    </Alert>
  );
}
