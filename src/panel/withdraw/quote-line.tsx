import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { WithdrawalPreviewData } from '#contract/withdrawals/withdrawal-preview.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import form from '#panel/money/money-form.module.css';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { QUOTE_REFRESH_MS } from './use-preview.ts';

/**
 * What the amount buys, at which price, since when, from whom, and that it is asked for again when
 * it is sent.
 */
export function QuoteLine({ quote }: { quote: NonNullable<WithdrawalPreviewData['quote']> }) {
  const t = useTranslations('panel.withdraw');
  const formats = useFormats();
  const asset = isCurrencyCode(quote.currency) ? CURRENCIES[quote.currency].asset : quote.currency;
  const at = formats.timeExactly(quote.quoted_at);
  return (
    <Stack gap={4} className={form.quote}>
      {quote.crypto_amount !== null && (
        <Text fw={600} fz="lg" className={form.tabular}>
          {t('approximately', { coins: formats.coins(quote.crypto_amount, asset) })}
        </Text>
      )}
      <Text fz="sm" className={form.tabular}>
        {t('quote', { asset, price: `R$\u00a0${formats.decimals(quote.price, 2, 8)}`, at })}
      </Text>
      <Muted fz="xs">
        {quote.spread_percent > 0
          ? t('quoteSourcesSpread', {
              sources: quote.sources.map(({ source }) => source).join(', '),
              spread: `${formats.decimals(quote.spread_percent, 2, 8)}\u00a0%`,
            })
          : t('quoteSources', { sources: quote.sources.map(({ source }) => source).join(', ') })}{' '}
        {t('quoteValidity', { seconds: QUOTE_REFRESH_MS / 1000 })}
      </Muted>
    </Stack>
  );
}
