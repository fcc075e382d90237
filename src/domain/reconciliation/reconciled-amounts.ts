import { unitsToDecimal } from '../quotes/crypto-units.ts';
import { CURRENCIES, isCurrencyCode } from '../quotes/currencies.ts';
import type { CsvCell } from '../reports/csv.ts';
import { toDecimal } from '../values/money.ts';

/**
 * Amounts of days that are compared are in the smallest unit of a day's currency: centavos of BRL,
 * 10^-8 of a coin.
 */

/** The currency of PIX; no crypto processor has it. */
export const BRL = 'BRL';

/** Returns the exact decimal text: `12.30`, `1.89074074`. */
export const amountText = (amount: bigint, currency: string): string =>
  currency === BRL ? toDecimal(amount) : unitsToDecimal(amount);

/** Returns the cell of a table for an amount; an unknown amount (`null`) gives an empty cell. */
export const amountCell = (amount: bigint | null, currency: string): CsvCell => {
  if (amount === null) return null;
  return currency === BRL ? { centavos: amount } : { units: amount };
};

/**
 * Returns the coin of a currency: `USDT` of USDT_BSC. `BRL`, and an unknown code, stay as they are.
 */
export const assetOf = (currency: string): string => (isCurrencyCode(currency) ? CURRENCIES[currency].asset : currency);
