import { createRequire } from 'node:module';

/** Lists of zxcvbn-ts (MIT): the passwords that breaches have in common, and what Brazilians make passwords of. */
type WordLists = { dictionary: Record<string, readonly string[]> };

/** A listed word with at most so much around it (a year, a sign) is that word. */
const DECORATION_MAX = 6;
/** Shorter words are found in random texts by chance. */
const WORD_LENGTH_MIN = 5;

let known: ReadonlySet<string> | null = null;

/** Whether a password is in the lists, also with digits and signs before or behind it. The lists (5 MB) are read at the first call. */
export function isBreached(password: string): boolean {
  known ??= readLists();
  const words = known;
  const plain = password.toLowerCase();
  const bare = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const isDecorated = bare.length >= WORD_LENGTH_MIN && plain.length - bare.length <= DECORATION_MAX;
  return words.has(plain) || (isDecorated && (words.has(bare) || words.has(unaccented(bare))));
}

function readLists(): ReadonlySet<string> {
  // When it is needed, in one go: a process that checks no password never holds them.
  const require = createRequire(import.meta.url);
  const common = require('@zxcvbn-ts/language-common') as WordLists;
  const portuguese = require('@zxcvbn-ts/language-pt-br') as WordLists;
  const words = new Set(common.dictionary['passwords-common']);
  for (const list of Object.values(portuguese.dictionary)) {
    for (const word of list) words.add(word).add(unaccented(word));
  }
  return words;
}

const unaccented = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
