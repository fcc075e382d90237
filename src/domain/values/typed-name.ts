/**
 * Names that people type, of themselves, of businesses, of keys. They are shown to others, and some
 * are mailed: they are one line of visible text, and must not contain a link that would look like
 * one of ours.
 */

/**
 * Control characters, line and paragraph separators, and the marks that change the direction of the
 * text after them (Unicode UAX #9).
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/u;

/**
 * `://`, `www.`, `@`, or letters, a dot (any that mail programs or NFKC take for one) and two
 * letters.
 */
const ADDRESS = /:\/\/|www[.．。｡]|[@＠]|[\p{L}\p{N}][.．。｡][\p{L}]{2}/iu;

/**
 * Returns whether a text breaks a line, has invisible characters or changes the direction of text.
 */
export const isUnprintable = (text: string): boolean => UNPRINTABLE.test(text);

/** Returns whether a mail program would make a link of something in a text. */
export const holdsAddress = (text: string): boolean => ADDRESS.test(text.normalize('NFKC')) || ADDRESS.test(text);

/**
 * Returns a text on one line, without invisible characters and marks of direction; the result can
 * always be stored.
 */
export const onOneLine = (text: string): string =>
  text.replace(new RegExp(UNPRINTABLE, 'gu'), ' ').replace(/ {2,}/g, ' ').trim();

/** Four numbers are an address of the internet; two or three are a figure: 1.234,56 or 1,234.56. */
const FIGURE = String.raw`(?<![\p{L}\p{N}.])\d+(?:\.\d+){1,2}(?!\.?[\p{L}\p{N}])`;
const DOTS = new RegExp(`${FIGURE}|[.。｡](?=[\\p{L}\\p{N}])`, 'gu');

/**
 * Returns a text on one line of which no mail program makes a link: `evil.example/x` reads `evil.
 * example/x`. Figures stay as they are.
 */
export const inertText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(new RegExp(UNPRINTABLE, 'gu'), ' ')
    .replace(/:\/\//g, ': //')
    .replace(/@/g, ' @ ')
    .replace(DOTS, (found) => (found.length > 1 ? found : '. '))
    .replace(/ {2,}/g, ' ')
    .trim();
