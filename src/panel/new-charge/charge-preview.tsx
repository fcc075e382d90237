'use client';

import { Anchor, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import type { accountOutput } from '#contract/account.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/currencies.ts';
import { parseBrl } from '#domain/money.ts';
import { api } from '#panel/api.tsx';
import { formatInstantExactly, formatReais } from '#panel/format.ts';
import { Link } from '#panel/link.tsx';
import { feeOfReais } from '#panel/money/fee-of-reais.ts';
import { useFeeText } from '#panel/money/fee-text.ts';
import form from '#panel/money/money-form.module.css';
import { SumLine } from '#panel/money/sum-line.tsx';
import { formatCoins } from '#panel/payment/format-coins.ts';
import { useFaultText } from '#panel/shell/faults.ts';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import type { ChargeDraft } from './charge-draft.ts';

/** Fees and limits are changed by an operator, rarely. */
const TERMS_FRESH_MS = 60_000;
/** A quote is asked for again this often while it is looked at. */
const QUOTE_REFRESH_MS = 15_000;

type Fees = (typeof accountOutput)['_output']['data']['fees'];

/** What the payer pays, what the fee is and what is left: before anything is created. */
export function ChargePreview({ draft }: { draft: ChargeDraft }) {
  const t = useTranslations('panel.newCharge');
  const account = api.account.get.useQuery({}, { staleTime: TERMS_FRESH_MS });
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('preview')}>
      <QueryState query={account} skeleton={<PreviewSkeleton />}>
        {({ data }) => (
          <Stack gap="md">
            <Title order={2} fz="md">
              {t('preview')}
            </Title>
            <Sums draft={draft} fees={data.fees} />
            {draft.kind === 'crypto' && isCurrencyCode(draft.currency) && <Quote draft={draft} />}
            <Range draft={draft} />
          </Stack>
        )}
      </QueryState>
    </Paper>
  );
}

function Sums({ draft, fees }: { draft: ChargeDraft; fees: Fees }) {
  const t = useTranslations('panel.newCharge');
  const feeText = useFeeText();
  const fee = draft.kind === 'pix' ? fees.pix_in : fees.crypto_in;
  const sums = feeOfReais(draft.amount, fee);
  const isFree = fee.percent === 0 && fee.fixed === 0;
  return (
    <dl className={form.sums}>
      <SumLine label={t('payerPays')} reais={sums && (draft.amount as number)} />
      <SumLine label={isFree ? t('noFee') : t('fee', { formula: feeText(fee) })} reais={sums && -sums.fee} />
      <SumLine label={t('youGet')} reais={sums?.net ?? null} strong />
    </dl>
  );
}

function Quote({ draft }: { draft: ChargeDraft }) {
  const t = useTranslations('panel.newCharge');
  const language = useLocale();
  const textOf = useFaultText();
  const amount = parseBrl(draft.amount) === null ? undefined : (draft.amount as number).toFixed(2);
  const quote = api.currencies.quote.useQuery(
    { currency: draft.currency, side: 'deposit', ...(amount !== undefined && { amount }) },
    { placeholderData: keepPreviousData, refetchInterval: QUOTE_REFRESH_MS },
  );
  if (quote.error) return <Text fz="sm">{textOf(quote.error)}</Text>;
  if (!quote.data) return <Skeleton h={64} />;
  const { currency, price, crypto_amount: coins, quoted_at: at, sources } = quote.data.data;
  const asset = isCurrencyCode(currency) ? CURRENCIES[currency].asset : currency;
  const exact = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 8 });
  return (
    <Stack gap={4} className={form.quote}>
      {coins !== null && (
        <Text fw={600} fz="lg" className={form.tabular}>
          {t('payerSends', { coins: formatCoins(String(coins), asset, language) })}
        </Text>
      )}
      <Text fz="sm" className={form.tabular}>
        {t('quote', {
          asset,
          price: `R$\u00a0${exact.format(price)}`,
          at: formatInstantExactly(at, language).slice(-8),
        })}
      </Text>
      <Text fz="xs" c="var(--ink-muted)">
        {t('quoteHint', { sources: sources.map(({ source }) => source).join(', ') })}
      </Text>
    </Stack>
  );
}

/** The account's range for one charge, and whether the amount is outside of it. */
function Range({ draft }: { draft: ChargeDraft }) {
  const t = useTranslations('panel.newCharge');
  const language = useLocale();
  const { href } = usePanel();
  const limits = api.account.limits.useQuery({}, { staleTime: TERMS_FRESH_MS }).data?.data.limits;
  const minimum = (draft.kind === 'pix' ? limits?.minimal_value_in_pix : limits?.minimal_value_in_crypto) ?? null;
  const maximum = (draft.kind === 'pix' ? limits?.maximal_value_in_pix : limits?.maximal_value_in_crypto) ?? null;
  if (minimum === null && maximum === null) return null;
  const isOutside =
    draft.amount !== '' &&
    draft.amount > 0 &&
    ((minimum !== null && draft.amount < minimum) || (maximum !== null && draft.amount > maximum));
  const reais = (value: number | null) => (value === null ? '–' : formatReais(value, language));
  return (
    <Text
      fz="xs"
      c={isOutside ? 'var(--tone-bad)' : 'var(--ink-muted)'}
      {...(isOutside && { role: 'status', fw: 600 })}
    >
      {t('range', { minimum: reais(minimum), maximum: reais(maximum) })}{' '}
      <Anchor component={Link} href={href('/limites')} fz="xs" underline="always">
        {t('toLimits')}
      </Anchor>
    </Text>
  );
}

function PreviewSkeleton() {
  return (
    <Stack gap="sm">
      <Skeleton h={20} w={120} />
      <Skeleton h={16} />
      <Skeleton h={16} />
      <Skeleton h={22} />
    </Stack>
  );
}
