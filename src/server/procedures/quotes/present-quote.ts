import { unitsToNumber } from '#domain/quotes/crypto-units.ts';
import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import type { Quote } from '#domain/quotes/quote.ts';

/**
 * A quote as callers see it: `price` is in reais for one coin, the account's spread in it; each
 * source's own is without.
 */
export const presentQuote = (quote: Quote & { currency: CurrencyCode; spreadBps: number }) => ({
  currency: quote.currency,
  price: unitsToNumber(quote.price),
  spread_percent: quote.spreadBps / 100,
  quoted_at: quote.at.toISOString(),
  sources: quote.sources.map(({ source, price, at }) => ({
    source,
    price: unitsToNumber(price),
    at: at.toISOString(),
  })),
});
