import type { SecretBox } from '../encryption/secret-box.ts';
import { withoutAccents } from '../values/without-accents.ts';
import { type Metadata, metadataPair } from './metadata.ts';

/**
 * Tokens by which sealed texts are found: keyed hashes of the beginnings of their words. Without
 * the key they show which transactions of one account share the beginning of a word, not which
 * beginning, and nothing across accounts.
 */

/**
 * Shorter beginnings are few, and their frequency would give them away; a shorter word is found
 * whole.
 */
const BEGINNING_MIN = 3;
/** Two words whose first ten letters are the same are found by each other. */
const BEGINNING_MAX = 10;
/**
 * The most of one transaction; a name, an e-mail and a description of usual length have about
 * forty.
 */
const TOKENS_MAX = 256;
/** The most words of one search. */
const WORDS_MAX = 12;
/**
 * So many digits may be the end of a telephone number: without the country, and without the area.
 */
const PHONE_DIGITS_MIN = 8;
const PHONE_ENDS = [8, 9, 10, 11];
const PURPOSE = 'transaction-search';

export type SearchedTexts = {
  words: readonly (string | null)[];
  phone: string | null;
  /** It is found by each pair as a whole, and by the words of its values. */
  metadata?: Metadata | null;
};

/** Returns the tokens of one transaction's texts, in an order that reveals nothing. */
export function searchTokens(box: SecretBox, accountId: string, texts: SearchedTexts): bigint[] {
  const { words, phone } = texts;
  const metadata = texts.metadata ?? {};
  // The pairs come first: words and the telephone are left out where there are too many.
  const names = new Set(Object.entries(metadata).map(([name, value]) => pairName(metadataPair(name, value))));
  for (const name of [...words, ...Object.values(metadata)].flatMap((text) =>
    wordsOf(text ?? '').flatMap(beginningsOf),
  ))
    names.add(name);
  const digits = digitsOf(phone ?? '');
  if (digits.length >= PHONE_DIGITS_MIN) {
    for (const end of [digits, ...PHONE_ENDS.map((length) => digits.slice(-length))]) names.add(phoneName(end));
  }
  const tokens = [...names]
    .slice(0, TOKENS_MAX)
    .map((name) => tokenOf(box.fingerprint(named(accountId, name), PURPOSE)));
  return tokens.sort((a, b) => (a < b ? -1 : 1));
}

/**
 * Returns the lists of tokens that find a pair of metadata as a whole, one for each master key: see
 * queryTokens.
 */
export const pairTokens = (box: SecretBox, accountId: string, pair: string): bigint[][] =>
  box.fingerprints(named(accountId, pairName(pair)), PURPOSE).map((print) => [tokenOf(print)]);

/**
 * Returns the lists of tokens that find a text: a transaction must have all tokens of one list.
 * There is one list for each meaning and each master key, and none for a text without letters and
 * digits.
 */
export function queryTokens(box: SecretBox, accountId: string, typed: string): bigint[][] {
  const words = wordsOf(typed).slice(0, WORDS_MAX);
  const digits = digitsOf(typed);
  const isPhone = digits.length >= PHONE_DIGITS_MIN && /^[+\d\s().-]+$/.test(typed.trim());
  const meanings = [words.map((word) => shortened(word)), ...(isPhone ? [[phoneName(digits)]] : [])];
  return meanings
    .filter((names) => names.length > 0)
    .flatMap((names) => {
      const prints = names.map((name) => box.fingerprints(named(accountId, name), PURPOSE));
      return box.versions.map((_, key) => prints.map((of) => tokenOf(of[key] ?? of[0])));
    });
}

/** Lower case, without accents: what people type in a search. */
const wordsOf = (text: string): string[] =>
  withoutAccents(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

function beginningsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length <= BEGINNING_MIN) return [word];
  const longest = Math.min(letters.length, BEGINNING_MAX);
  return Array.from({ length: longest - BEGINNING_MIN + 1 }, (_, n) => letters.slice(0, BEGINNING_MIN + n).join(''));
}

const shortened = (word: string) => [...word].slice(0, BEGINNING_MAX).join('');
const digitsOf = (text: string) => text.replace(/\D/g, '');
/** Unlike any word, it has a space in it. */
const phoneName = (digits: string) => `tel ${digits}`;
const pairName = (pair: string) => `pair ${pair}`;
const named = (accountId: string, name: string) => `${accountId} ${name}`;
const tokenOf = (fingerprint: Buffer) => fingerprint.readBigInt64BE(0);
