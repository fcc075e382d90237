import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import type { Quote } from '#domain/quotes/quote.ts';

/**
 * A quote as callers see it: `price` is in reais for one coin, the account's spread in it; each
 * source's own is without.
 */
export const presentQuote = (quote: Quote & { currency: CurrencyCode; spreadBps: number }) => ({
  currency: quote.currency,
  price: quote.price,
  spread_percent: quote.spreadBps,
  quoted_at: quote.at,
  sources: quote.sources.map(({ source, price, at }) => ({
    source,
    price,
    at,
  })),
});
