import { Skeleton, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { isCurrencyCode } from '#domain/quotes/currencies.ts';
import { api } from '#panel/api.tsx';
import { FeeLine } from '#panel/money/fee-line.tsx';
import { feeOfReais } from '#panel/money/fee-of-reais.ts';
import { MoneyPreview } from '#panel/money/money-form.tsx';
import { QUOTE_REFRESH_MS, QuoteLines } from '#panel/money/quote-lines.tsx';
import { rangeParams } from '#panel/money/range-params.ts';
import { SumLine, SumLines } from '#panel/money/sum-lines.tsx';
import { whileAmountChanges } from '#panel/money/while-amount-changes.ts';
import { useErrorText } from '#panel/shell/call-error.ts';
import { TextLink } from '#panel/shell/links.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import type { ChargeDraft } from './charge-draft.ts';

/** Fees and limits are changed by an operator, rarely. */
const TERMS_FRESH_MS = 60_000;

/** What the payer pays, what the fee is and what is left, before anything is created. */
export function ChargePreview({ draft, amount }: { draft: ChargeDraft; amount: number | null }) {
  const t = useTranslations('panel.newCharge');
  const { kind, currency } = draft;
  const account = api.account.get.useQuery({}, { staleTime: TERMS_FRESH_MS });
  return (
    <MoneyPreview query={account} skeleton={[20, 16, 16, 22]}>
      {({ data: { fees } }) => {
        const fee = kind === 'pix' ? fees.pix_in : fees.crypto_in;
        const sums = feeOfReais(amount, fee);
        return (
          <>
            <SumLines>
              <SumLine label={t('payerPays')} reais={sums && amount} />
              <FeeLine fee={fee} reais={sums && -sums.fee} />
              <SumLine label={t('youGet')} reais={sums?.net ?? null} strong />
            </SumLines>
            {kind === 'crypto' && isCurrencyCode(currency) && <Quote currency={currency} amount={amount} />}
            <Range kind={kind} amount={amount} />
          </>
        );
      }}
    </MoneyPreview>
  );
}

function Quote({ currency, amount }: { currency: string; amount: number | null }) {
  const t = useTranslations('panel.newCharge');
  const textOf = useErrorText();
  const input = { currency, side: 'deposit' as const, ...(amount !== null && { amount: amount.toFixed(2) }) };
  const quote = api.currencies.quote.useQuery(input, {
    placeholderData: whileAmountChanges(input, (read) => ({ ...read, data: { ...read.data, crypto_amount: null } })),
    refetchInterval: QUOTE_REFRESH_MS,
  });
  if (quote.error) return <Text fz="sm">{textOf(quote.error)}</Text>;
  if (!quote.data) return <Skeleton h={64} />;
  return (
    <QuoteLines
      quote={quote.data.data}
      isPending={quote.isPlaceholderData && amount !== null}
      amountText={(coins) => t('payerSends', { coins })}
      hint={(sources) => t('quoteHint', { sources })}
    />
  );
}

/** The account's range for one charge, and whether the amount is outside of it. */
function Range({ kind, amount }: { kind: ChargeDraft['kind']; amount: number | null }) {
  const t = useTranslations('panel.newCharge');
  const tForm = useTranslations('panel.moneyForm');
  const formats = useFormats();
  const { href } = usePanel();
  const { minimum, maximum } = useChargeRange(kind);
  const range = rangeParams(minimum, maximum, formats.reais);
  if (range === null) return null;
  const isOutside = amount !== null && (amount < (minimum ?? amount) || amount > (maximum ?? amount));
  return (
    <Text
      fz="xs"
      c={isOutside ? 'var(--tone-bad)' : 'var(--ink-muted)'}
      {...(isOutside && { role: 'status', fw: 600 })}
    >
      {t('range', range)} <TextLink href={href('/limites')} fz="xs" underline="always" label={tForm('toLimits')} />
    </Text>
  );
}

/** Returns the account's range for one charge, in reais; null: no such end, or not known yet. */
export function useChargeRange(kind: ChargeDraft['kind']): { minimum: number | null; maximum: number | null } {
  const limits = api.account.limits.useQuery({}, { staleTime: TERMS_FRESH_MS }).data?.data.limits;
  return {
    minimum: limits?.[`minimal_value_in_${kind}`] ?? null,
    maximum: limits?.[`maximal_value_in_${kind}`] ?? null,
  };
}
