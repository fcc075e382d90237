import { Button, Fieldset, Select, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { DESCRIPTION_LENGTH_MAX, DOCUMENT_LENGTH_MAX, NAME_LENGTH_MAX } from '#contract/lengths.ts';
import { api } from '#panel/api.tsx';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { KindChoice } from '#panel/money/kind-choice.tsx';
import { MoneyForm } from '#panel/money/money-form.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { isUndecided, useIdempotencyKey } from '#panel/money/use-idempotency-key.ts';
import { fieldIssues, useErrorText } from '#panel/shell/call-error.ts';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { useIssueText } from '../shell/use-issue-text.ts';
import { CHARGE_FIELDS, type ChargeDraft, chargeIssues, chargeOf, EMPTY_CHARGE } from './charge-draft.ts';
import { ChargePreview } from './charge-preview.tsx';

const EMAIL_LENGTH_MAX = 254;
const PHONE_LENGTH_MAX = 40;

/** Typing is over when nothing came for so long. */
const PAUSE_MS = 250;
/** The provider's list changes with its contract, not by the second. */
const CURRENCIES_FRESH_MS = 60_000;

/**
 * A PIX charge or a crypto invoice. What was typed stays when it is rejected, with the cursor on
 * the first error.
 */
export function ChargeForm() {
  const t = useTranslations('panel.newCharge');
  const language = useLocale();
  const formats = useFormats();
  const router = useRouter();
  const { me, href } = usePanel();
  const textOf = useErrorText();
  const textOfIssue = useIssueText();
  const utils = api.useUtils();
  const intention = useIdempotencyKey<ChargeDraft>('charge');
  const currencies = api.currencies.list.useQuery({}, { staleTime: CURRENCIES_FRESH_MS });
  const [error, setError] = useState<unknown>(null);
  // The second press of a double click comes before the button is drawn as busy.
  const underway = useRef(false);

  const offered = currencies.data?.data ?? [];
  // Before the member has chosen one it is the account's, or the first that there is.
  const currencyFor = (typed: ChargeDraft): string =>
    typed.currency || (offered.find((one) => one.is_default) ?? offered[0])?.currency || '';
  const rules = useSchemaRules<ChargeDraft>({
    load: ({ kind }) =>
      kind === 'pix'
        ? loadPart(() => import('#contract/charges/pix-charge.ts')).then((contract) => contract.pixChargeInput)
        : loadPart(() => import('#contract/quotes/crypto.ts')).then((contract) => contract.cryptoDepositInput),
    wire: (typed) => chargeOf(typed, reaisOfText(typed.amount, language)),
    fields: CHARGE_FIELDS,
    also: (typed) => chargeIssues({ ...typed, currency: currencyFor(typed) }),
  });
  const form = useForm<ChargeDraft>({
    initialValues: { ...EMPTY_CHARGE, currency: me.currency ?? '' },
    validate: rules.validate,
    onValuesChange: rules.prepare,
  });
  const draft = useDraft('charge', form.values, form.setValues);
  const { kind } = form.values;
  const values: ChargeDraft = { ...form.values, currency: currencyFor(form.values) };
  const amount = reaisOfText(values.amount, language);
  const [settledAmount] = useDebouncedValue(amount, PAUSE_MS);
  const focusOn = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? 'amount')?.focus();

  const options = {
    trpc: { context: intention.context },
    onSuccess({ data }: { data: { transaction_id: string } }) {
      draft.clear();
      intention.finish();
      void utils.transactions.invalidate();
      router.push(href(`/cobrar?cobranca=${data.transaction_id}`));
    },
    onError(error: unknown) {
      underway.current = false;
      setError(error);
      // A rejection did nothing; without an answer the same request has to be sent again under the
      // same key.
      if (!isUndecided(error)) intention.renew();
      const found = Object.entries(fieldIssues(error)).map(
        ([field, issue]) => [CHARGE_FIELDS[field] ?? field, textOfIssue(issue)] as const,
      );
      if (found.length === 0) return;
      const errors = Object.fromEntries(found);
      form.setErrors(errors);
      focusOn(errors);
    },
  };
  const pix = api.charges.create.useMutation(options);
  const crypto = api.deposits.crypto.useMutation(options);
  const { isPending, isSuccess } = kind === 'pix' ? pix : crypto;

  const submit = form.onSubmit(() => {
    if (underway.current || amount === null) return;
    underway.current = true;
    setError(null);
    // However it was typed, the same amount is the same intention.
    intention.send({ ...values, amount: formats.typedReais(amount) });
    if (kind === 'pix') pix.mutate(chargeOf(values, amount));
    else crypto.mutate({ ...chargeOf(values, amount), currency: values.currency });
  }, focusOn);

  return (
    <MoneyForm
      onSubmit={submit}
      preview={<ChargePreview draft={values} amount={settledAmount} />}
      actions={
        <>
          {!isPending && !isSuccess && (error !== null || intention.unanswered) && (
            <Notice tone="bad">
              <Text fz="sm">{intention.unanswered ? t('undecided') : textOf(error)}</Text>
            </Notice>
          )}
          <Button type="submit" size="md" fullWidth loading={form.validating || isPending || isSuccess}>
            {amount === null
              ? t(kind === 'pix' ? 'create' : 'createInvoice')
              : t(kind === 'pix' ? 'charge' : 'invoice', { amount: formats.reais(amount) })}
          </Button>
        </>
      }
    >
      <KindChoice
        label={t('kindLabel')}
        names={{ pix: t('pix'), crypto: t('crypto') }}
        kind={kind}
        onChange={(chosen) => form.setFieldValue('kind', chosen)}
      />
      {kind === 'crypto' && (
        <Select
          {...form.getInputProps('currency')}
          value={values.currency || null}
          onChange={(chosen) => form.setFieldValue('currency', chosen ?? '')}
          label={t('currency')}
          data={offered.map(({ currency, name }) => ({ value: currency, label: name }))}
          error={form.errors.currency ?? (currencies.error ? textOf(currencies.error) : null)}
          nothingFoundMessage={t('noCurrency')}
          size="md"
          allowDeselect={false}
          searchable
        />
      )}
      <AmountInput
        {...form.getInputProps('amount')}
        value={form.values.amount}
        label={t('amount')}
        description={t(kind === 'pix' ? 'amountHint' : 'amountCryptoHint')}
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
      <Customer form={form} />
    </MoneyForm>
  );
}

function Customer({ form }: { form: Pick<UseFormReturnType<ChargeDraft>, 'getInputProps'> }) {
  const t = useTranslations('panel.newCharge');
  return (
    <Fieldset legend={t('customer')} variant="default">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput {...form.getInputProps('name')} label={t('name')} maxLength={NAME_LENGTH_MAX} autoComplete="off" />
        <TextInput
          {...form.getInputProps('document')}
          label={t('document')}
          maxLength={DOCUMENT_LENGTH_MAX}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          {...form.getInputProps('email')}
          type="email"
          label={t('email')}
          maxLength={EMAIL_LENGTH_MAX}
          autoComplete="off"
        />
        <TextInput
          {...form.getInputProps('phone')}
          type="tel"
          label={t('phone')}
          maxLength={PHONE_LENGTH_MAX}
          autoComplete="off"
        />
      </SimpleGrid>
    </Fieldset>
  );
}
