import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { MARKET_NAMES } from './market-names.ts';

/** How often a quote on a page is fetched again; the markets are asked every 5 s at most. */
export const QUOTE_REFRESH_MS = 15_000;

type Props = {
  quote: {
    currency: string;
    price: number;
    crypto_amount: number | string | null;
    quoted_at: string;
    sources: readonly { source: string }[];
  };
  /** The amount in coins is being read again; its line stays. */
  isPending: boolean;
  /** The text of the amount in coins. */
  amountText: (coins: string) => string;
  /** The text of what holds for the quote, with its sources. */
  hint: (sources: string) => string;
};

/** An amount in coins, with its price, its time and its sources. */
export function QuoteLines({ quote, isPending, amountText, hint }: Props) {
  const t = useTranslations('panel.moneyForm');
  const formats = useFormats();
  const { currency, price, crypto_amount: quantity, quoted_at: at, sources } = quote;
  const asset = isCurrencyCode(currency) ? CURRENCIES[currency].asset : currency;
  return (
    <Stack gap={4} p={12} bg="var(--sunken)" bdrs={8} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {(quantity !== null || isPending) && (
        <Text fw={600} fz="lg">
          {amountText(quantity === null ? `… ${asset}` : formats.coins(String(quantity), asset))}
        </Text>
      )}
      <Text fz="sm">
        {t('quote', { asset, price: `R$\u00a0${formats.decimals(price, 2, 8)}`, at: formats.timeExactly(at) })}
      </Text>
      <Muted fz="xs">{hint(sources.map(({ source }) => MARKET_NAMES[source] ?? source).join(', '))}</Muted>
    </Stack>
  );
}
