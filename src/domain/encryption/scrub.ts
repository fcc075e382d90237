import { parsePhone } from '../values/contact.ts';
import { parseDocument } from '../values/documents.ts';

/**
 * Removes what must never be in a log, wherever in a line it appears: the second line of defence,
 * behind the rule that such values are not passed to the logger. It works on the finished line,
 * because secrets also hide in errors' texts. A line of JSON remains JSON.
 */
export function scrub(line: string): string {
  let text = line;
  for (const [pattern, replacement] of PATTERNS) text = text.replace(pattern, replacement);
  // The most expensive pattern, and most lines have no e-mail address.
  if (/@|%40/.test(text)) text = text.replace(EMAIL, (_match, kept) => kept ?? '[e-mail]');
  for (const [pattern, isPrivate] of NUMBERS) {
    text = text.replace(pattern, (match, kept) => (kept === undefined && isPrivate(match) ? hidden(match) : match));
  }
  return text;
}

/**
 * Members with one of these in their name hold secrets or people's data, whatever the value looks
 * like.
 */
const NAMES = 'api[_-]?key|passw|senha|secret|token|authorization|cookie|document|cpf|cnpj|e-?mail|phone|master_?keys';

const STRING = '"(?:[^"\\\\]|\\\\.)*"';

/**
 * Each takes time in proportion to the line, whatever is in it: it looks for a long part only where
 * that begins, and takes what was begun for ended at the end of the line.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // A member of the line, at any depth; then one of a JSON text that is quoted inside a string of
  // the line.
  [
    new RegExp(
      `("[\\w-]{0,40}(?:${NAMES})[\\w-]{0,40}"\\s*:\\s*)(?:${STRING}|\\[(?:[^\\]"]|${STRING})*\\]?|-?[\\d.eE+-]+)`,
      'gi',
    ),
    '$1"[redacted]"',
  ],
  [
    new RegExp(`((?<!\\\\)\\\\+"[\\w-]{0,40}(?:${NAMES})[\\w-]{0,40}\\\\+"\\s*:\\s*\\\\+")[^"\\\\]*`, 'gi'),
    '$1[redacted]',
  ],
  // A query string, a connection string, a form.
  [new RegExp(`((?:${NAMES})[\\w-]{0,40}=)[^\\s"'&;,\\\\]+`, 'gi'), '$1[redacted]'],
  [/((?:password|senha|secret)\s*:\s*)[^\s"'&;,\\]+/gi, '$1[redacted]'],
  [/tr_(live|test)_[A-Za-z0-9]+/g, 'tr_$1_[redacted]'],
  [/whsec_[A-Za-z0-9+/=]+/g, 'whsec_[redacted]'],
  [/(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, '$1 [redacted]'],
  [/-----BEGIN [A-Z ]{1,40}-----(?:[^"\\]|\\.)*?(?:-----END [A-Z ]{1,40}-----|(?="|$))/g, '[pem]'],
  [/v\d+:[A-Za-z0-9+/]{43}=/g, '[master key]'],
  // The path that the PSP calls back on is its password.
  [/(\/inbound\/pix\/[a-z0-9-]+\/)[\w-]+/g, '$1[redacted]'],
  // User and password of an address; a password may hold an @.
  [/:\/\/[^\s/"\\]+@/g, '://[redacted]@'],
];

const ESCAPE = '\\\\(?:u[0-9a-f]{4}|.)';

/**
 * The length is bounded so that a long line of words is scanned in linear time. An escape before
 * the address is not cut.
 */
const EMAIL = new RegExp(
  `(${ESCAPE})|[\\p{L}\\p{M}\\p{N}.!#$&'*+?^_\`~%-]{1,64}(?:@|%40)[\\p{L}\\p{M}\\p{N}-]+(?:\\.[\\p{L}\\p{M}\\p{N}-]+)+`,
  'gu',
);

/**
 * Escapes, and ids and instants that only look like documents: UUIDs, the 32 digits of a txid or
 * event id, end-to-end ids, ISO 8601.
 */
const KEPT = [
  ESCAPE,
  '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '[0-9a-f]{32,}',
  '[ED]\\d{20}[0-9A-Za-z]{11}',
  '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
].join('|');

/** The match must not follow a character of this kind, unless that character ends an escape. */
const startOf = (kind: string) => `(?:(?<!${kind})|(?<=\\\\(?:u[0-9a-f]{4}|[bfnrt])))`;
const CNPJ = '[0-9A-Za-z]{2}\\.?[0-9A-Za-z]{3}\\.?[0-9A-Za-z]{3}/?[0-9A-Za-z]{4}-?\\d{2}';
const CNPJ_IN_DIGITS = '\\d{2}[. ]?\\d{3}[. ]?\\d{3}[/ ]?\\d{4}[- ]?\\d{2}';
const CPF = '\\d{3}[. ]?\\d{3}[. ]?\\d{3}[-/. ]?\\d{2}';
const PHONE = '(?:\\+?55 ?)?\\(?\\d{2}\\)?[ -]?9?\\d{4}[- ]?\\d{4}';

/**
 * Documents and phone numbers, bare or written out, each with what must be true of a match besides
 * its shape.
 */
const NUMBERS: readonly (readonly [RegExp, (match: string) => boolean])[] = [
  // Words may have this shape: only what is written as a CNPJ, or has its check digits, is one.
  [
    privately(`${startOf('[0-9A-Za-z]')}${CNPJ}(?![0-9A-Za-z])`),
    (text) => /^([0-9A-Z]{14}|.{2}\..{3}\..{3}\/.{4}-..)$/.test(text) || parseDocument(text, 'cnpj') !== null,
  ],
  // A mistyped document or phone number is private too.
  [privately(`${startOf('\\d')}(?:${CNPJ_IN_DIGITS}|${CPF}|\\d{11,14})(?!\\d)`), () => true],
  // Ten digits may be seconds since 1970, or begin an id.
  [privately(`${startOf('\\d')}${PHONE}(?![0-9A-Za-z])`), (text) => parsePhone(text) !== null],
];

function privately(pattern: string): RegExp {
  return new RegExp(`(${KEPT})|${pattern}`, 'g');
}

/** Bare digits may be a number of the line's JSON, which must stay one. */
const hidden = (match: string) => (/^[\d.]+$/.test(match) ? '0' : '[number]');
