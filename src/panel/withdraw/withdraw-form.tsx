import { Button, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useSearchParams } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { Suspense, useEffect, useState } from 'react';
import { PIX_DESCRIPTION_LENGTH_MAX } from '#contract/lengths.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { useDraft, useDropDraft } from '#panel/drafts/use-draft.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { KindChoice } from '#panel/money/kind-choice.tsx';
import { MoneyForm } from '#panel/money/money-form.tsx';
import { useIdempotencyKey } from '#panel/money/use-idempotency-key.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { amountOf, type Draft, EMPTY_DRAFT, issuesOf } from './draft.ts';
import { PixRecipient } from './pix-recipient.tsx';
import { PreviewCard } from './preview-card.tsx';
import { usePreview } from './use-preview.ts';

const ConfirmWithdrawal = lazyPart(() => import('./confirm-withdrawal.tsx'), 'ConfirmWithdrawal');
const CryptoRecipient = lazyPart(() => import('./crypto-recipient.tsx'), 'CryptoRecipient');

/** Typing is over when nothing came for so long. */
const PAUSE_MS = 250;
/** The provider's list changes with its contract, not by the second. */
const CURRENCIES_FRESH_MS = 60_000;

/** The name under which this tab keeps what is typed. */
const DRAFT = 'withdrawal';

/**
 * The form and, once it is filled in, the step that repeats it. What was typed stays through both,
 * through a error and a reload. What may have been sent comes before everything else, until it is
 * known.
 */
export function WithdrawForm() {
  const { me, href } = usePanel();
  const language = useLocale();
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, currency: me.currency ?? '' });
  // In the address, so that the browser's Back leads from the second step to the first.
  const wantsConfirmation = useSearchParams().get('passo') === 'confirmar';
  const isFilledIn = Object.keys(issuesOf(draft, language)).length === 0;
  const intention = useIdempotencyKey<Draft>(DRAFT);
  const dropDraft = useDropDraft(DRAFT);
  const { unanswered } = intention;
  // What was sent before a reload; it stays on the page when it is rejected now.
  const [sent, setSent] = useState<Draft | null>(null);
  if (unanswered && sent !== unanswered) setSent(unanswered);
  useEffect(() => {
    if (unanswered && !wantsConfirmation) window.history.replaceState(null, '', href('/sacar?passo=confirmar'));
  }, [unanswered, wantsConfirmation, href]);

  const confirmed = unanswered ?? (wantsConfirmation ? (sent ?? (isFilledIn ? draft : null)) : null);
  if (confirmed) {
    return (
      <Suspense fallback={null}>
        <ConfirmWithdrawal
          draft={confirmed}
          intention={intention}
          onSent={dropDraft}
          onBack={() => {
            setSent(null);
            window.history.replaceState(null, '', href('/sacar'));
          }}
        />
      </Suspense>
    );
  }
  return (
    <DraftForm
      draft={draft}
      onDone={(filled) => {
        setDraft(filled);
        setSent(null);
        // Not the router: nothing has to be fetched for it, and what was typed must live on.
        window.history.pushState(null, '', href('/sacar?passo=confirmar'));
      }}
    />
  );
}

function DraftForm({ draft, onDone }: { draft: Draft; onDone: (draft: Draft) => void }) {
  const t = useTranslations('panel.withdraw');
  const language = useLocale();
  const currencies = api.currencies.list.useQuery({}, { staleTime: CURRENCIES_FRESH_MS });
  // Before the member has chosen one it is the account's, or the first that there is.
  const currencyFor = (typed: Draft): string => {
    const offered = currencies.data?.data ?? [];
    return typed.currency || (offered.find((one) => one.is_default) ?? offered[0])?.currency || '';
  };
  const form = useForm<Draft>({
    initialValues: draft,
    validate: (typed) => {
      const found = issuesOf({ ...typed, currency: currencyFor(typed) }, language);
      return Object.fromEntries(Object.entries(found).map(([field, issue]) => [field, t(`issues.${issue}`)]));
    },
  });
  useDraft(DRAFT, form.values, form.setValues);
  const { kind } = form.values;
  const currency = currencyFor(form.values);
  const values: Draft = { ...form.values, currency };
  const [settled] = useDebouncedValue(amountOf(values, language), PAUSE_MS);
  const preview = usePreview(values, settled);

  const submit = form.onSubmit(
    () => onDone(values),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? 'amount')?.focus(),
  );
  return (
    <MoneyForm
      onSubmit={submit}
      preview={<PreviewCard draft={values} amount={settled} query={preview} />}
      actions={
        <Button type="submit" size="md" fullWidth disabled={(preview.data?.errors.length ?? 0) > 0 && settled !== null}>
          {t('review')}
        </Button>
      }
    >
      <KindChoice
        label={t('kindLabel')}
        names={{ pix: t('pix'), crypto: t('crypto') }}
        kind={kind}
        onChange={(chosen) => form.setFieldValue('kind', chosen)}
      />
      {kind === 'pix' ? (
        <PixRecipient form={form} />
      ) : (
        <Suspense fallback={null}>
          <CryptoRecipient form={form} currency={currency} currencies={currencies} memo={preview.data?.memo} />
        </Suspense>
      )}
      <AmountInput
        {...form.getInputProps('amount')}
        value={form.values.amount}
        label={t(kind === 'pix' ? 'amountPix' : 'amountCrypto')}
        description={t(kind === 'pix' ? 'amountPixHint' : 'amountCryptoHint')}
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
    </MoneyForm>
  );
}
