import type { Language } from '#domain/values/language.ts';
import { AMOUNT_CENTAVOS_MAX, toBrl } from '#domain/values/money.ts';
import { readTypedAmount } from '#domain/values/read-typed-amount.ts';
import { numberFormatter } from '#panel/formatters.ts';

/** The reais that a typed text says, as every call to the service takes them; `null` where it says no amount. */
export function reaisOfText(text: string, language: Language, maxCentavos = AMOUNT_CENTAVOS_MAX): number | null {
  const { centavos } = readTypedAmount(text, language, maxCentavos);
  return centavos === null ? null : toBrl(centavos);
}

/** An amount as it would be typed into a field, `1234,56`; `null` is an empty field. */
export function textOfReais(reais: number | null, language: Language): string {
  if (reais === null) return '';
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false };
  return numberFormatter(language, digits).format(reais);
}
