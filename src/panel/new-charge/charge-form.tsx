import { Button, Fieldset, NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useLocale, useTranslations } from 'next-intl';
import { Suspense } from 'react';
import {
  DESCRIPTION_LENGTH_MAX,
  DOCUMENT_LENGTH_MAX,
  NAME_LENGTH_MAX,
  REFERENCE_LENGTH_MAX,
} from '#contract/lengths.ts';
import { api } from '#panel/api.tsx';
import { lazyPart, loadPart } from '#panel/connection/lazy-part.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { MoneyForm } from '#panel/money/money-form.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { useCurrencies } from '#panel/money/use-currencies.ts';
import { useIdempotencyKey } from '#panel/money/use-idempotency-key.ts';
import { useSendOnce } from '#panel/money/use-send-once.ts';
import { useErrorText } from '#panel/shell/call-error.ts';
import { focusFirstError } from '#panel/shell/focus-first-error.ts';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { CHARGE_FIELDS, type ChargeDraft, chargeIssues, chargeOf, EMPTY_CHARGE, EXPIRIES } from './charge-draft.ts';
import { ChargePreview, useChargeRange } from './charge-preview.tsx';

// A list with a search, which only crypto needs.
const CurrencySelect = lazyPart(() => import('#panel/money/currency-select.tsx'), 'CurrencySelect');

const EMAIL_LENGTH_MAX = 254;
const PHONE_LENGTH_MAX = 40;

/** Typing counts as over after this pause. */
const PAUSE_MS = 250;

/**
 * A PIX charge or a crypto invoice. What was typed stays when it is rejected, with the cursor on
 * the first error.
 */
export function ChargeForm({ onCreated }: { onCreated: (transactionId: string) => void }) {
  const t = useTranslations('panel.newCharge');
  const language = useLocale();
  const formats = useFormats();
  const { me } = usePanel();
  const textOf = useErrorText();
  const utils = api.useUtils();
  const { orDefault } = useCurrencies();
  const completed = (typed: ChargeDraft): ChargeDraft => ({ ...typed, currency: orDefault(typed.currency) });
  const amountTexts = useTranslations('panel.amountInput');
  const rules = useSchemaRules<ChargeDraft>({
    load: ({ kind }) =>
      kind === 'pix'
        ? loadPart(() => import('#contract/charges/pix-charge.ts')).then((contract) => contract.pixChargeInput)
        : loadPart(() => import('#contract/quotes/crypto.ts')).then((contract) => contract.cryptoDepositInput),
    wire: (typed) => chargeOf(typed, reaisOfText(typed.amount, language)),
    fields: CHARGE_FIELDS,
    also: (typed) => chargeIssues(completed(typed)),
    // The schema's own text is for those who write JSON.
    ownTexts: ({ amount }) => (amount.trim() === '' ? { amount: amountTexts('empty') } : {}),
  });
  const form = useForm<ChargeDraft>({
    initialValues: { ...EMPTY_CHARGE, currency: me.currency ?? '' },
    validate: rules.validate,
    onValuesChange: rules.prepare,
  });
  const draft = useDraft('charge', form.values, form.setValues);
  const values = completed(form.values);
  const { kind } = values;
  const amount = reaisOfText(values.amount, language);
  const [settledAmount] = useDebouncedValue(amount, PAUSE_MS);
  const { maximum } = useChargeRange(kind);
  const focusOn = (errors: object) => focusFirstError(form.getInputNode, errors, 'amount');

  // What a field says replaces what was said of an earlier request.
  const hasErrors = Object.keys(form.errors).length > 0;

  const intention = useIdempotencyKey<ChargeDraft>('charge');
  const { send, options, error, isUnderway } = useSendOnce(intention, {
    onSent(id) {
      draft.clear();
      void utils.transactions.invalidate();
      onCreated(id);
    },
    onError(error) {
      const errors = rules.errorsOf(error);
      if (Object.keys(errors).length === 0) return;
      form.setErrors(errors);
      focusOn(errors);
    },
  });
  const pix = api.charges.create.useMutation(options);
  const crypto = api.deposits.crypto.useMutation(options);
  const submit = form.onSubmit(() => {
    if (amount === null) return;
    // The same amount is the same intention, however it was typed.
    send({ ...values, amount: formats.typedReais(amount) }, () => {
      if (kind === 'pix') pix.mutate(chargeOf(values, amount));
      else crypto.mutate({ ...chargeOf(values, amount), currency: values.currency });
    });
  }, focusOn);

  return (
    <MoneyForm
      onSubmit={submit}
      kind={kind}
      kindLabel={t('kindLabel')}
      onKindChange={(chosen) => form.setFieldValue('kind', chosen)}
      preview={<ChargePreview draft={values} amount={settledAmount} />}
      actions={
        <>
          {!isUnderway && ((error !== null && !hasErrors) || intention.unanswered) && (
            <Notice tone="bad">{intention.unanswered ? t('undecided') : textOf(error)}</Notice>
          )}
          <Button type="submit" size="md" fullWidth loading={form.validating || isUnderway}>
            {amount === null
              ? t(kind === 'pix' ? 'create' : 'createInvoice')
              : t(kind === 'pix' ? 'charge' : 'invoice', { amount: formats.reais(amount) })}
          </Button>
        </>
      }
    >
      {kind === 'crypto' && (
        <Suspense fallback={null}>
          <CurrencySelect {...form.getInputProps('currency')} value={values.currency} />
        </Suspense>
      )}
      <AmountInput
        {...form.getInputProps('amount')}
        value={values.amount}
        label={t('amount')}
        description={t(kind === 'pix' ? 'amountHint' : 'amountCryptoHint')}
        ownMaximum={maximum}
        size="md"
      />
      <Textarea
        {...form.getInputProps('description')}
        label={t('descriptionLabel')}
        description={t(kind === 'pix' ? 'descriptionHint' : 'descriptionCryptoHint')}
        maxLength={DESCRIPTION_LENGTH_MAX}
        autosize
        minRows={1}
        maxRows={4}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          {...form.getInputProps('reference')}
          label={t('reference')}
          description={t('referenceHint')}
          maxLength={REFERENCE_LENGTH_MAX}
          autoComplete="off"
          spellCheck={false}
        />
        {kind === 'pix' && (
          <NativeSelect
            {...form.getInputProps('expiresIn')}
            label={t('expiresIn')}
            description={t('expiresInHint')}
            data={[
              { value: '', label: t('expiries.usual') },
              ...EXPIRIES.map((seconds) => ({ value: String(seconds), label: t(`expiries.${seconds}`) })),
            ]}
          />
        )}
      </SimpleGrid>
      <Fieldset legend={t('customer')} variant="default">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {CUSTOMER.map(({ name, ...props }) => (
            <TextInput key={name} {...form.getInputProps(name)} label={t(name)} autoComplete="off" {...props} />
          ))}
        </SimpleGrid>
      </Fieldset>
    </MoneyForm>
  );
}

const CUSTOMER = [
  { name: 'name', maxLength: NAME_LENGTH_MAX },
  { name: 'document', maxLength: DOCUMENT_LENGTH_MAX, spellCheck: false },
  { name: 'email', maxLength: EMAIL_LENGTH_MAX, type: 'email' },
  { name: 'phone', maxLength: PHONE_LENGTH_MAX, type: 'tel' },
] as const;
