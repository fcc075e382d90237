import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { accountOutput } from '#contract/accounts/account.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { api } from '#panel/api.tsx';
import { feeOfReais } from '#panel/money/fee-of-reais.ts';
import form from '#panel/money/money-form.module.css';
import { SumLine } from '#panel/money/sum-line.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { useFeeText } from '../money/use-fee-text.ts';
import type { ChargeDraft } from './charge-draft.ts';

/** Fees and limits are changed by an operator, rarely. */
const TERMS_FRESH_MS = 60_000;
/** A quote is asked for again this often while it is looked at. */
const QUOTE_REFRESH_MS = 15_000;

type Fees = (typeof accountOutput)['_input']['data']['fees'];

/** What the payer pays, what the fee is and what is left: before anything is created. */
export function ChargePreview({ draft, amount }: { draft: ChargeDraft; amount: number | null }) {
  const t = useTranslations('panel.newCharge');
  const account = api.account.get.useQuery({}, { staleTime: TERMS_FRESH_MS });
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('preview')}>
      <QueryState query={account} skeleton={[20, 16, 16, 22]}>
        {({ data }) => (
          <Stack gap="md">
            <Title order={2} fz="md">
              {t('preview')}
            </Title>
            <Sums kind={draft.kind} amount={amount} fees={data.fees} />
            {draft.kind === 'crypto' && isCurrencyCode(draft.currency) && (
              <Quote currency={draft.currency} amount={amount} />
            )}
            <Range kind={draft.kind} amount={amount} />
          </Stack>
        )}
      </QueryState>
    </Paper>
  );
}

function Sums({ kind, amount, fees }: { kind: ChargeDraft['kind']; amount: number | null; fees: Fees }) {
  const t = useTranslations('panel.newCharge');
  const feeText = useFeeText();
  const fee = kind === 'pix' ? fees.pix_in : fees.crypto_in;
  const sums = feeOfReais(amount, fee);
  const isFree = fee.percent === 0 && fee.fixed === 0;
  return (
    <dl className={form.sums}>
      <SumLine label={t('payerPays')} reais={sums && amount} />
      <SumLine label={isFree ? t('noFee') : t('fee', { formula: feeText(fee) })} reais={sums && -sums.fee} />
      <SumLine label={t('youGet')} reais={sums?.net ?? null} strong />
    </dl>
  );
}

function Quote(props: { currency: string; amount: number | null }) {
  const t = useTranslations('panel.newCharge');
  const formats = useFormats();
  const textOf = useErrorText();
  const amount = props.amount?.toFixed(2);
  const quote = api.currencies.quote.useQuery(
    { currency: props.currency, side: 'deposit', ...(amount !== undefined && { amount }) },
    { placeholderData: keepPreviousData, refetchInterval: QUOTE_REFRESH_MS },
  );
  if (quote.error) return <Text fz="sm">{textOf(quote.error)}</Text>;
  if (!quote.data) return <Skeleton h={64} />;
  const { currency, price, crypto_amount: coins, quoted_at: at, sources } = quote.data.data;
  const asset = isCurrencyCode(currency) ? CURRENCIES[currency].asset : currency;
  return (
    <Stack gap={4} className={form.quote}>
      {coins !== null && (
        <Text fw={600} fz="lg" className={form.tabular}>
          {t('payerSends', { coins: formats.coins(String(coins), asset) })}
        </Text>
      )}
      <Text fz="sm" className={form.tabular}>
        {t('quote', {
          asset,
          price: `R$\u00a0${formats.decimals(price, 2, 8)}`,
          at: formats.timeExactly(at),
        })}
      </Text>
      <Muted fz="xs">{t('quoteHint', { sources: sources.map(({ source }) => source).join(', ') })}</Muted>
    </Stack>
  );
}

/** The account's range for one charge, and whether the amount is outside of it. */
function Range({ kind, amount }: { kind: ChargeDraft['kind']; amount: number | null }) {
  const t = useTranslations('panel.newCharge');
  const formats = useFormats();
  const { href } = usePanel();
  const limits = api.account.limits.useQuery({}, { staleTime: TERMS_FRESH_MS }).data?.data.limits;
  const minimum = (kind === 'pix' ? limits?.minimal_value_in_pix : limits?.minimal_value_in_crypto) ?? null;
  const maximum = (kind === 'pix' ? limits?.maximal_value_in_pix : limits?.maximal_value_in_crypto) ?? null;
  if (minimum === null && maximum === null) return null;
  const isOutside =
    amount !== null && ((minimum !== null && amount < minimum) || (maximum !== null && amount > maximum));
  const reais = (value: number | null) => (value === null ? '–' : formats.reais(value));
  return (
    <Text
      fz="xs"
      c={isOutside ? 'var(--tone-bad)' : 'var(--ink-muted)'}
      {...(isOutside && { role: 'status', fw: 600 })}
    >
      {t('range', { minimum: reais(minimum), maximum: reais(maximum) })}{' '}
      <TextLink href={href('/limites')} fz="xs" underline="always" label={t('toLimits')} />
    </Text>
  );
}
