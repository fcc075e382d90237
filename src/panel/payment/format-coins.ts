import type { Language } from '#domain/values/language.ts';
import { numberFormatter } from '#panel/formatters.ts';

const NO_BREAK_SPACE = '\u00a0';
/** The most that every browser takes; quantities have eight at most. */
const FRACTION_DIGITS_MAX = 20;

/** The decimal text of a quantity for reading, all its digits kept: `1234.50000001` is `1.234,50000001` in Portuguese. */
export function formatQuantity(quantity: string, language: Language): string {
  // Given a text, Intl formats the decimal itself and not the double nearest to it.
  return numberFormatter(language, { maximumFractionDigits: FRACTION_DIGITS_MAX }).format(quantity as `${number}`);
}

/** The same with its coin, `18,703704 USDT`, which never stand in different lines. */
export const formatCoins = (quantity: string, asset: string, language: Language): string =>
  `${formatQuantity(quantity, language)}${NO_BREAK_SPACE}${asset}`;
