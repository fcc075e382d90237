import type { Language } from '#domain/values/language.ts';
import { AMOUNT_CENTAVOS_MAX, toBrl } from '#domain/values/money.ts';
import { readTypedAmount } from '#domain/values/read-typed-amount.ts';

/**
 * Reads a typed text as reais, as every call to the service takes them; null where it is no amount.
 */
export function reaisOfText(text: string, language: Language, maxCentavos = AMOUNT_CENTAVOS_MAX): number | null {
  const { centavos } = readTypedAmount(text, language, maxCentavos);
  return centavos === null ? null : toBrl(centavos);
}
