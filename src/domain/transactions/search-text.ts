import { readTypedAmount } from '../values/read-typed-amount.ts';
import { isUuid } from '../values/uuid.ts';

/** Fewer hex digits than this begin too many ids to identify one. */
const ID_PART_MIN = 4;
/**
 * The panel shows this many digits of an id's end; by as many, or more, an id is found by its end.
 */
export const ID_END_DIGITS = 6;
const ID_DIGITS = 32;

/**
 * Returns the amount that a text names as people write it, in centavos; `null` for any other text,
 * and for more than any transaction has. The search knows no language: a text that both languages
 * can read is the same amount in both.
 */
export const amountOfText = (text: string): bigint | null =>
  readTypedAmount(text, 'pt-BR').centavos ?? readTypedAmount(text, 'en').centavos;

/**
 * Returns the first and the last id that begin with these digits, with hyphens or without; `null`
 * where they are too few or no part of an id.
 */
export function idsBeginningWith(text: string): { first: string; last: string } | null {
  if (isUuid(text)) return { first: text.toLowerCase(), last: text.toLowerCase() };
  const digits = idDigits(text);
  if (digits === null) return null;
  return { first: hyphenated(digits.padEnd(ID_DIGITS, '0')), last: hyphenated(digits.padEnd(ID_DIGITS, 'f')) };
}

/**
 * Returns these digits as the end of an id, with its hyphens; `null` where they are too few or no
 * part of an id.
 */
export function idEnd(text: string): string | null {
  const digits = idDigits(text);
  if (digits === null || digits.length < ID_END_DIGITS || digits.length === ID_DIGITS) return null;
  return hyphenated(digits.padStart(ID_DIGITS, '0')).slice(-lengthWithHyphens(digits.length));
}

function idDigits(text: string): string | null {
  // An id that is shown short has an ellipsis at its end, or before its end.
  const digits = text.replace(/[-…]/g, '').toLowerCase();
  return /^[0-9a-f]+$/.test(digits) && digits.length >= ID_PART_MIN && digits.length <= ID_DIGITS ? digits : null;
}

/** How many characters the last `count` digits of an id take, hyphens among them. */
function lengthWithHyphens(count: number): number {
  return count + [12, 16, 20, 24].filter((digitsBehind) => count > digitsBehind).length;
}

function hyphenated(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
