/**
 * A payer's e-mail and phone, brought to one spelling each so that equal contacts compare equal.
 */

/** RFC 5321 4.5.3.1 as corrected by erratum 1690: a path is 256 octets with its angle brackets. */
const EMAIL_LENGTH_MAX = 254;

/** RFC 5321 4.5.3.1.1. */
const EMAIL_LOCAL_LENGTH_MAX = 64;

/**
 * RFC 5322 dot-atom. Quoted local parts are rejected: they are not in use. So are the other scripts
 * of RFC 6531: mail programs and mail servers fold full-width letters, look-alikes and combining
 * marks into ASCII each in their own way, and an address that is read in two ways delivers to
 * another person. An internationalised domain is written in its ASCII form (`xn--…`, RFC 5890).
 */
const EMAIL_LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** One label of a host name, RFC 1123 2.1, at most 63 long. */
const EMAIL_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Checked before the case is folded: that would turn a foreign letter (the Kelvin sign) into an
 * ASCII one.
 */
const VISIBLE_ASCII = /^[ -~]*$/;
const NOT_ASCII = /[^\p{ASCII}]/u;

/** Longer than the most decorated number; it keeps the pattern from a text of many spaces. */
const PHONE_TEXT_LENGTH_MAX = 40;
const PHONE_TEXT = /^\+?[\d ()-]+$/;

/**
 * Mobile: nine digits, the first a 9. Landline: eight, the first 2 to 5. Anatel, Resolução
 * 749/2022.
 */
const PHONE_NUMBER = /^(9\d{8}|[2-5]\d{7})$/;

/** The area codes that exist; a number with another one can't be called. */
const AREA_CODES = new Set(
  (
    '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 61 62 63 64 65 ' +
    '66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99'
  ).split(' '),
);

/**
 * Returns whether a text is ASCII, as an e-mail address has to be here; a text with other letters
 * gets an issue of its own.
 */
export const isAsciiEmail = (text: string): boolean => !NOT_ASCII.test(text);

/**
 * The address trimmed and in lower case, when it has the shape of one; else null. Whether it exists
 * is not checked.
 */
export function parseEmail(text: string): string | null {
  if (!VISIBLE_ASCII.test(text)) return null;
  const email = text.trim().toLowerCase();
  if (email.length > EMAIL_LENGTH_MAX) return null;
  const [local = '', domain = '', ...more] = email.split('@');
  if (more.length > 0 || local.length > EMAIL_LOCAL_LENGTH_MAX || !EMAIL_LOCAL.test(local)) return null;
  const labels = domain.split('.');
  if (labels.length < 2 || !labels.every((label) => EMAIL_LABEL.test(label))) return null;
  // An all-digit last label is a piece of an IP address, never a top-level domain.
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : email;
}

/**
 * A Brazilian number as `+55` + DDD + number, else null. Ten or eleven digits are national, twelve
 * or thirteen start with 55; with a `+` only the latter will do, for `+51998259765` is a number of
 * Peru and `51998259765` one of Rio Grande do Sul.
 */
export function parsePhone(text: string): string | null {
  const compact = text.trim();
  if (compact.length > PHONE_TEXT_LENGTH_MAX || !PHONE_TEXT.test(compact)) return null;
  const digits = compact.replace(/\D/g, '');
  const international = compact.startsWith('+') || digits.length > 11;
  if (international && !digits.startsWith('55')) return null;
  const national = international ? digits.slice(2) : digits;
  const valid = AREA_CODES.has(national.slice(0, 2)) && PHONE_NUMBER.test(national.slice(2));
  return valid ? `+55${national}` : null;
}
