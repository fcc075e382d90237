/** A listed word with at most so many characters around it (a year, a sign) counts as that word. */
const DECORATION_MAX = 6;
/** Shorter words are found in random texts by chance. */
const WORD_LENGTH_MIN = 5;

let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Reads the lists (5 MB). This blocks the process for 0.7 s: one that serves sign-ins does so
 * before the first of them, others with their first password.
 */
export async function loadBreachedPasswords(): Promise<void> {
  known ??= readLists();
  await known;
}

/** Whether a password is in the lists, also with digits and signs before or behind it. */
export async function isBreached(password: string): Promise<boolean> {
  known ??= readLists();
  const words = await known;
  const plain = password.toLowerCase();
  const bare = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const isDecorated = bare.length >= WORD_LENGTH_MIN && plain.length - bare.length <= DECORATION_MAX;
  return words.has(plain) || (isDecorated && (words.has(bare) || words.has(unaccented(bare))));
}

/**
 * Lists of zxcvbn-ts (MIT): the passwords that are common in breaches, and the words of which
 * Brazilians make passwords.
 */
async function readLists(): Promise<ReadonlySet<string>> {
  const [common, portuguese] = await Promise.all([
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-pt-br'),
  ]);
  const words = new Set<string>(common.dictionary['passwords-common']);
  for (const list of Object.values(portuguese.dictionary)) {
    for (const word of list) words.add(word).add(unaccented(word));
  }
  return words;
}

const unaccented = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
