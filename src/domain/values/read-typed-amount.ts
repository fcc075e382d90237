import type { Language } from './language.ts';
import { AMOUNT_CENTAVOS_MAX } from './money.ts';

/**
 * Why a text is no amount. `zero` and `no_digits` may be the beginning of one: `0`, `0,0`, `R$`,
 * `,`.
 */
export type AmountIssue =
  | 'empty'
  | 'no_digits'
  | 'zero'
  | 'negative'
  | 'characters'
  | 'decimals'
  | 'groups'
  | 'too_large';

type TypedAmount = { centavos: bigint; issue: null } | { centavos: null; issue: AmountIssue };

/** A longer text was pasted by mistake: no amount has half as many characters. */
const TEXT_LENGTH_MAX = 60;
/**
 * Marks of direction and width that come along when a figure is copied from a page or a
 * spreadsheet.
 */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const MINUS = /^[-\u2212\u2013]/;
/** The first group never begins with zero: `0.500` is not a way to write five hundred. */
const GROUPED = /^[1-9]\d{0,2}(?:([., ])\d{3})(?:\1\d{3})*$/;
const DECIMALS_MAX = 2;

/**
 * Reads an amount of reais as people type and paste it. Exact: it is never rounded, and nothing in
 * it is ever skipped. The rules, in this order:
 *
 * 1. `R$` and spaces around it are left out.
 * 2. Of two kinds of separators the last one separates the centavos: `1.234,56` and `1,234.56` are
 *    the same amount in both languages.
 * 3. One kind, more than once, separates thousands: `1.234.567`.
 * 4. One separator with one digit, two digits or none behind it separates the centavos, whichever
 *    it is: `1,5`, `1.50`, `5,`, `,50`.
 * 5. One separator with three digits behind it separates thousands if it does so in the reader's
 *    language: `1.500` in Portuguese, `1,500` in English. The other one is rejected (`decimals`),
 *    because it may be either.
 *
 * Thousands are in groups of three, also with spaces between them. Everything else is rejected.
 */
export function readTypedAmount(
  text: string,
  language: Language,
  maxCentavos: bigint = AMOUNT_CENTAVOS_MAX,
): TypedAmount {
  const bare = withoutSign(text.slice(0, TEXT_LENGTH_MAX + 1));
  if (bare === '') return rejected(text.trim() === '' ? 'empty' : 'no_digits');
  if (text.length > TEXT_LENGTH_MAX) return rejected('characters');
  if (MINUS.test(bare)) return rejected('negative');
  if (/[^\d., ]/.test(bare)) return rejected('characters');
  if (!/\d/.test(bare)) return rejected('no_digits');
  const parts = splitAtDecimal(bare, language);
  if (parts === null) return rejected('groups');
  const { whole, decimals } = parts;
  if (!/^\d*$/.test(whole) && !GROUPED.test(whole)) return rejected('groups');
  if (decimals.length > DECIMALS_MAX) return rejected('decimals');
  const centavos = BigInt(whole.replace(/[., ]/g, '') + decimals.padEnd(DECIMALS_MAX, '0'));
  if (centavos > maxCentavos) return rejected('too_large');
  return centavos === 0n ? rejected('zero') : { centavos, issue: null };
}

/**
 * The whole reais, still with their separators, and the digits behind the decimal separator; null
 * where the separators can't be those of one number.
 */
function splitAtDecimal(bare: string, language: Language): { whole: string; decimals: string } | null {
  const separators = bare.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  if (last === undefined) return { whole: bare, decimals: '' };
  const at = bare.lastIndexOf(last);
  const split = { whole: bare.slice(0, at), decimals: bare.slice(at + 1) };
  if (/ /.test(split.decimals)) return null;
  const isOnlyKind = separators.every((one) => one === last);
  if (separators.length > 1) {
    if (isOnlyKind) return { whole: bare, decimals: '' };
    return split.whole.includes(last) ? null : split;
  }
  const groupSeparator = language === 'en' ? ',' : '.';
  const isGroup = last === groupSeparator && split.decimals.length >= 3;
  // `.500` and `0.500` are no way to write five hundred.
  return isGroup && /^[1-9]/.test(split.whole) ? { whole: bare, decimals: '' } : split;
}

const withoutSign = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(/\s/g, ' ')
    .trim()
    .replace(/^R\$ ?/i, '')
    .trim();

const rejected = (issue: AmountIssue): TypedAmount => ({ centavos: null, issue });
