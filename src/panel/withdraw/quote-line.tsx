import { Stack, Text } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import type { WithdrawalPreviewData } from '#contract/withdrawals/withdrawal-preview.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { formatInstantExactly } from '#panel/format.ts';
import { numberFormatter } from '#panel/formatters.ts';
import form from '#panel/money/money-form.module.css';
import { formatCoins } from '#panel/payment/format-coins.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { QUOTE_REFRESH_MS } from './use-preview.ts';

/** What the amount buys, at which price, since when, from whom, and that it is asked for again when it is sent. */
export function QuoteLine({ quote }: { quote: NonNullable<WithdrawalPreviewData['quote']> }) {
  const t = useTranslations('panel.withdraw');
  const language = useLocale();
  const asset = isCurrencyCode(quote.currency) ? CURRENCIES[quote.currency].asset : quote.currency;
  const price = numberFormatter(language, { minimumFractionDigits: 2, maximumFractionDigits: 8 });
  const at = formatInstantExactly(quote.quoted_at, language).slice(-8);
  return (
    <Stack gap={4} className={form.quote}>
      {quote.crypto_amount !== null && (
        <Text fw={600} fz="lg" className={form.tabular}>
          {t('approximately', { coins: formatCoins(quote.crypto_amount, asset, language) })}
        </Text>
      )}
      <Text fz="sm" className={form.tabular}>
        {t('quote', { asset, price: `R$\u00a0${price.format(quote.price)}`, at })}
      </Text>
      <Muted fz="xs">
        {quote.spread_percent > 0
          ? t('quoteSourcesSpread', {
              sources: quote.sources.map(({ source }) => source).join(', '),
              spread: `${price.format(quote.spread_percent)}\u00a0%`,
            })
          : t('quoteSources', { sources: quote.sources.map(({ source }) => source).join(', ') })}{' '}
        {t('quoteValidity', { seconds: QUOTE_REFRESH_MS / 1000 })}
      </Muted>
    </Stack>
  );
}
