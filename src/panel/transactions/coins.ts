import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import type { Formats } from '#panel/create-formats.ts';
import { isSettled } from './money-of.ts';

/** A quantity with its coin, e.g. `18,703704 USDT`: every decimal it has, eight at most. */
export function coinsText(quantity: number, currency: string, formats: Formats): string {
  const text = quantity.toFixed(8).replace(/\.?0+$/, '');
  return formats.coins(text, isCurrencyCode(currency) ? CURRENCIES[currency].asset : currency);
}

type Coins = Pick<ListedTransaction, 'type' | 'currency' | 'crypto_amount' | 'crypto_received' | 'settled'>;

/**
 * The quantity that stands for a crypto transaction: of an invoice what was credited, once
 * something is, else what was asked. Null for any other transaction.
 */
export function shownCoins(transaction: Coins, formats: Formats): string | null {
  const { type, currency, crypto_amount: asked, crypto_received: received } = transaction;
  const quantity = type === 'crypto_in' && isSettled(transaction) ? received : asked;
  return currency && quantity !== null ? coinsText(quantity, currency, formats) : null;
}
