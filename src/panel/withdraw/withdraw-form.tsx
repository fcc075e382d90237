import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useLocale, useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { Suspense, useEffect, useState } from 'react';
import { PIX_DESCRIPTION_LENGTH_MAX, REFERENCE_LENGTH_MAX } from '#contract/lengths.ts';
import { api } from '#panel/api.tsx';
import { lazyPart, loadPart } from '#panel/connection/lazy-part.ts';
import { useDraft, useDropDraft } from '#panel/drafts/use-draft.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { MoneyForm } from '#panel/money/money-form.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { useCurrencies } from '#panel/money/use-currencies.ts';
import { useIdempotencyKey } from '#panel/money/use-idempotency-key.ts';
import { focusFirstError } from '#panel/shell/focus-first-error.ts';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { useAccountTime, usePanel } from '#panel/shell/use-panel.ts';
import { Waiting } from '#panel/shell/waiting.tsx';
import { type Draft, EMPTY_DRAFT, issuesOf, wireOf } from './draft.ts';
import { PixRecipient } from './pix-recipient.tsx';
import { PreviewCard } from './preview-card.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { usePreview } from './use-preview.ts';

const ConfirmWithdrawal = lazyPart(() => import('./confirm-withdrawal.tsx'), 'ConfirmWithdrawal');
const PayeeSelect = lazyPart(() => import('./payee-select.tsx'), 'PayeeSelect');
const CryptoRecipient = lazyPart(() => import('./crypto-recipient.tsx'), 'CryptoRecipient');

/** The height of a field of this form with its label, in pixels. */
const PAYEE_SELECT_HEIGHT = 67;

/** Typing counts as over after this pause. */
const PAUSE_MS = 250;

/** The name under which this tab keeps what is typed. */
const DRAFT = 'withdrawal';

/** The second step is in the address, so that the browser's Back leads from it to the first. */
const STEP = parseAsStringLiteral(['confirmar']);

/**
 * The form and, once it is filled in, the step that repeats it. What was typed stays through both,
 * through an error and a reload. What may have been sent comes before everything else, until its
 * outcome is known.
 */
export function WithdrawForm({ onSent }: { onSent: (transactionId: string) => void }) {
  const [step, setStep] = useQueryState('passo', STEP);
  const [filled, setFilled] = useState<Draft | null>(null);
  const intention = useIdempotencyKey<Draft>(DRAFT);
  const dropDraft = useDropDraft(DRAFT);
  const { unanswered } = intention;
  // What was sent before a reload stays on the page when it is rejected now.
  if (unanswered && filled !== unanswered) setFilled(unanswered);
  useEffect(() => {
    if (unanswered && !step) void setStep('confirmar');
  }, [unanswered, step, setStep]);

  const confirmed = unanswered ?? (step && filled);
  if (confirmed) {
    return (
      <Suspense fallback={null}>
        <ConfirmWithdrawal
          draft={confirmed}
          intention={intention}
          onSent={(id) => {
            dropDraft();
            void setStep(null);
            onSent(id);
          }}
          onBack={() => setStep(null)}
        />
      </Suspense>
    );
  }
  return (
    <DraftForm
      draft={filled}
      onDone={(typed) => {
        setFilled(typed);
        void setStep('confirmar', { history: 'push' });
      }}
    />
  );
}

function DraftForm({ draft, onDone }: { draft: Draft | null; onDone: (draft: Draft) => void }) {
  const t = useTranslations('panel.withdraw');
  const language = useLocale();
  const { me } = usePanel();
  const now = useAccountTime();
  const { orDefault } = useCurrencies();
  const completed = (typed: Draft): Draft => ({ ...typed, currency: orDefault(typed.currency) });
  const amountOf = (typed: Draft) => reaisOfText(typed.amount, language);
  const rules = useSchemaRules<Draft>({
    load: ({ kind }) =>
      kind === 'pix'
        ? loadPart(() => import('#contract/withdrawals/pix-withdrawal.ts')).then(
            (contract) => contract.pixWithdrawalInput,
          )
        : loadPart(() => import('#contract/quotes/crypto.ts')).then((contract) => contract.cryptoWithdrawalInput),
    wire: (typed) => wireOf(completed(typed), amountOf(typed)),
    ownTexts: (typed) => {
      const issues = Object.entries(issuesOf(completed(typed), amountOf(typed), now()));
      return Object.fromEntries(issues.map(([field, issue]) => [field, t(`issues.${issue}`)]));
    },
  });
  const form = useForm<Draft>({
    initialValues: draft ?? { ...EMPTY_DRAFT, currency: me.currency ?? '' },
    validate: rules.validate,
    onValuesChange: rules.prepare,
  });
  useDraft(DRAFT, form.values, form.setValues);
  const values = completed(form.values);
  const { kind, currency } = values;
  const [settled] = useDebouncedValue(amountOf(values), PAUSE_MS);
  const preview = usePreview(values, settled);
  const payees = api.payees.list.useQuery({});

  const submit = form.onSubmit(
    () => onDone(values),
    (errors) => focusFirstError(form.getInputNode, errors, 'amount'),
  );
  const isRejected = (preview.data?.errors.length ?? 0) > 0 && settled !== null;
  return (
    <MoneyForm
      onSubmit={submit}
      kind={kind}
      kindLabel={t('kindLabel')}
      onKindChange={(chosen) => form.setFieldValue('kind', chosen)}
      preview={<PreviewCard draft={values} amount={settled} query={preview} />}
      actions={
        <Button type="submit" size="md" fullWidth loading={form.validating} disabled={isRejected}>
          {t('review')}
        </Button>
      }
    >
      {kind === 'pix' ? (
        <PixRecipient form={form} />
      ) : (
        <Suspense fallback={null}>
          <CryptoRecipient form={form} currency={currency} memo={preview.data?.memo} />
        </Suspense>
      )}
      {payees.data && payees.data.data.length > 0 && (
        <Suspense fallback={<Waiting heights={[PAYEE_SELECT_HEIGHT]} />}>
          <PayeeSelect form={form} draft={values} payees={payees.data.data} />
        </Suspense>
      )}
      <AmountInput
        {...form.getInputProps('amount')}
        value={values.amount}
        label={t(kind === 'pix' ? 'amountPix' : 'amountCrypto')}
        description={t(kind === 'pix' ? 'amountPixHint' : 'amountCryptoHint')}
        ownMaximum={preview.data?.maximum}
        size="md"
      />
      {kind === 'pix' && (
        <Textarea
          {...form.getInputProps('description')}
          label={t('message')}
          description={t('messageHint')}
          maxLength={PIX_DESCRIPTION_LENGTH_MAX}
          autosize
          minRows={1}
          maxRows={3}
        />
      )}
      <TextInput
        {...form.getInputProps('reference')}
        label={t('reference')}
        description={t('referenceHint')}
        maxLength={REFERENCE_LENGTH_MAX}
        autoComplete="off"
        spellCheck={false}
      />
      {kind === 'pix' && <ScheduleFields form={form} />}
    </MoneyForm>
  );
}
