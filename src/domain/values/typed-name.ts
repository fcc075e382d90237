/**
 * Names that people type, of themselves, of businesses, of keys. They are shown to others, and some
 * are mailed: they are one line of visible text, and must not contain a link that would look like
 * ours.
 */

/**
 * Control characters, line and paragraph separators, and the marks that turn the direction of what
 * follows (Unicode UAX #9).
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/u;

/**
 * `://`, `www.`, `@`, or letters, a dot (any that mail programs or NFKC take for one) and two
 * letters.
 */
const ADDRESS = /:\/\/|www[.．。｡]|[@＠]|[\p{L}\p{N}][.．。｡][\p{L}]{2}/iu;

/** Whether a name would break a line, hide, or turn the text around it. */
export const isUnprintable = (text: string): boolean => UNPRINTABLE.test(text);

/** Whether a mail program would make a link of something in it. */
export const holdsAddress = (text: string): boolean => ADDRESS.test(text.normalize('NFKC')) || ADDRESS.test(text);

/**
 * The same text on one line, with nothing in it that hides or turns; it can be stored, whatever it
 * was.
 */
export const onOneLine = (text: string): string =>
  text.replace(new RegExp(UNPRINTABLE, 'gu'), ' ').replace(/ {2,}/g, ' ').trim();

/**
 * The same text so that no mail program makes a link of it, and on one line: `evil.example/x` reads
 * `evil. example/x`.
 */
export const inertText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(new RegExp(UNPRINTABLE, 'gu'), ' ')
    .replace(/:\/\//g, ': //')
    .replace(/@/g, ' @ ')
    .replace(/[.。｡](?=[\p{L}\p{N}])/gu, '. ')
    .replace(/ {2,}/g, ' ')
    .trim();
