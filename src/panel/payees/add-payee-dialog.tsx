import { SegmentedControl, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { PAYEE_LABEL_LENGTH_MAX } from '#domain/payees/payees.ts';
import { currencyOn, hasMemo, NETWORKS } from '#domain/quotes/currencies.ts';
import { recognisePixKey } from '#domain/withdrawals/recognise-pix-key.ts';
import { api } from '#panel/api.tsx';
import { Recognised } from '#panel/money/recognised.tsx';
import { networkName } from '#panel/payment/network-name.ts';
import { focusFirstError } from '#panel/shell/focus-first-error.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { formatPixKey } from '../withdraw/draft.ts';
import { KeyTypeChoice } from '../withdraw/key-type-choice.tsx';
import { loadWalletChecks } from '../withdraw/wallet-check.ts';
import { type PayeeValues, pixKeyOf, usePayeeForm, walletOf } from './use-payee-form.ts';

type Form = UseFormReturnType<PayeeValues>;

/** Asks for the payee's name, and for a PIX key or a wallet. */
export function AddPayeeDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('panel.payees');
  const money = useTranslations('panel.moneyForm');
  const { mode } = usePanel();
  const notify = useNotify();
  const utils = api.useUtils();
  const { form, errorsOf } = usePayeeForm();
  const focusFirst = (errors: object) => focusFirstError(form.getInputNode, errors, 'label');
  const options = {
    ...notify.afterDialog(t('added'), { refresh: () => utils.payees.list.invalidate(), onClose }),
    onError(error: unknown) {
      const errors = errorsOf(error);
      form.setErrors(errors);
      focusFirst(errors);
    },
  };
  const addPixKey = api.addressBook.addPixKey.useMutation(options);
  const addWallet = api.addressBook.addWallet.useMutation(options);
  const { kind } = form.values;
  return (
    <FormDialog
      isDirty={form.isDirty()}
      title={t('add')}
      submit={t('submit')}
      call={kind === 'pix' ? addPixKey : addWallet}
      onSubmit={form.onSubmit(
        (values) => (kind === 'pix' ? addPixKey.mutate(pixKeyOf(values)) : addWallet.mutate(walletOf(values))),
        focusFirst,
      )}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t('kind')}
        fullWidth
        value={kind}
        onChange={(value) => form.setFieldValue('kind', value)}
        data={(['pix', 'crypto'] as const).map((value) => ({ value, label: money(value) }))}
      />
      <TextInput
        {...form.getInputProps('label')}
        label={t('label')}
        description={t('labelHint')}
        maxLength={PAYEE_LABEL_LENGTH_MAX}
        autoComplete="off"
        data-autofocus
      />
      {kind === 'pix' ? <PixKeyFields form={form} /> : <WalletFields form={form} />}
      <Muted fz={13}>{t(mode === 'live' ? 'rule' : 'ruleTest')}</Muted>
    </FormDialog>
  );
}

function PixKeyFields({ form }: { form: Form }) {
  const t = useTranslations('panel.payees');
  const types = useTranslations('panel.withdraw.keyTypes');
  const found = recognisePixKey(form.values.pixKey);
  const [only, other] = found;
  return (
    <>
      <div>
        <TextInput
          {...form.getInputProps('pixKey')}
          onChange={({ currentTarget }) => {
            form.clearErrors();
            // A type that was chosen for another key does not hold for this one.
            form.setValues({ pixKey: currentTarget.value, pixKeyType: null });
          }}
          label={t('key')}
          description={t('keyHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Recognised>{only && !other && `${types(only.type)} ${formatPixKey(only.key, only.type)}`}</Recognised>
      </div>
      <KeyTypeChoice
        label={t('whichKey')}
        found={found}
        value={form.values.pixKeyType}
        onChange={(type) => form.setFieldValue('pixKeyType', type)}
        error={form.errors.pixKeyType}
      />
    </>
  );
}

function WalletFields({ form }: { form: Form }) {
  const t = useTranslations('panel.payees');
  useEffect(() => {
    // Without the checks only the service checks the address.
    loadWalletChecks().catch(() => {});
  }, []);
  return (
    <>
      <Select
        {...form.getInputProps('network')}
        label={t('network')}
        data={NETWORKS.map((value) => ({ value, label: networkName(value) }))}
        allowDeselect={false}
      />
      <TextInput
        {...form.getInputProps('wallet')}
        label={t('wallet')}
        description={t('walletHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {hasMemo(currencyOn(form.values.network)) && (
        <TextInput {...form.getInputProps('memo')} label={t('memo')} description={t('memoHint')} autoComplete="off" />
      )}
    </>
  );
}
