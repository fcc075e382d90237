import { CURRENCIES, isCurrencyCode } from '#domain/currencies.ts';
import type { Language } from '#domain/language.ts';
import { formatCoins } from '#panel/payment/format-coins.ts';

/** A quantity with its coin, e.g. `18,703704 USDT`: every decimal it has, eight at most. */
export function coinsText(quantity: number, currency: string, language: Language): string {
  const text = quantity.toFixed(8).replace(/\.?0+$/, '');
  return formatCoins(text, isCurrencyCode(currency) ? CURRENCIES[currency].asset : currency, language);
}
