/**
 * PostgreSQL stores as text neither a NUL nor half of a surrogate pair, in `jsonb` not even as an
 * escape. One value that has either makes the whole statement fail, with every other row in it.
 */

/** Deeper than any valid input. */
const DEPTH_MAX = 20;

/** The replacement of a character that can't be stored (U+FFFD). */
const REPLACEMENT = '\uFFFD';

/** Returns whether a text can be stored as it is. Business fields reject what can't. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * Returns whether every text in parsed JSON can be stored, names of members too; `false` also where
 * it is nested deeper than any valid input.
 */
export function isStorableJson(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === DEPTH_MAX) return false;
  return Object.entries(value).every(([name, member]) => isStorableText(name) && isStorableJson(member, depth + 1));
}

/**
 * Returns a text that can be stored, for logs: what can't be is replaced by U+FFFD. At most
 * `lengthMax` UTF-16 units.
 */
export const toStorableText = (text: string, lengthMax = Number.POSITIVE_INFINITY): string =>
  cutText(text, lengthMax).replaceAll('\0', REPLACEMENT).toWellFormed();

/**
 * Returns the first `lengthMax` UTF-16 units of a text; one less where the cut would split a
 * surrogate pair.
 */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const partsPair = isHigh(text.charCodeAt(lengthMax - 1)) && isLow(text.charCodeAt(lengthMax));
  return text.slice(0, partsPair ? lengthMax - 1 : lengthMax);
}

/**
 * Returns the JSON text of rows for a `jsonb` parameter, every value in it storable. Names of
 * members must be our own.
 */
export const toStorableJsonText = (rows: unknown): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? toStorableText(value) : value));

/**
 * Returns a value with every text in it storable, names of members too. Only for JSON values: no
 * dates, no classes.
 */
export function toStorableJson<T>(value: T): T {
  if (typeof value === 'string') return toStorableText(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toStorableJson) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toStorableText(name), toStorableJson(member)]),
  ) as T;
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
