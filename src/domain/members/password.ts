/**
 * The rules for passwords (ASVS 6.2.1, 6.2.4, 6.2.5, 6.2.9): a least length, and not being well
 * known. There are no rules about characters.
 */
export const PASSWORD_LENGTH_MIN = 10;
/** Long passphrases are welcome; an even longer one only makes hashing slower. */
export const PASSWORD_LENGTH_MAX = 128;

/** The owner of a password. Whoever knows them would try their e-mail and their names. */
export type PasswordOwner = { email: string; names: readonly string[] };

/** `own`: the member's own e-mail or name; `product`: the product's name. */
export type PasswordIssue = 'short' | 'long' | 'common' | 'own' | 'product';

/**
 * Returns why a new password is rejected; `null`: it is accepted. The list of breached passwords is
 * checked elsewhere (services/members/new-password.ts).
 */
export function passwordIssue(password: string, owner?: PasswordOwner): PasswordIssue | null {
  const length = Array.from(password).length;
  if (length < PASSWORD_LENGTH_MIN) return 'short';
  if (password.length > PASSWORD_LENGTH_MAX) return 'long';
  if (isCommon(password)) return 'common';
  if (isMostly(password, [PRODUCT])) return 'product';
  return owner && isMostly(password, wordsOf(owner)) ? 'own' : null;
}

const PRODUCT = 'trilho';
/** A shorter word is in many good passwords by chance. */
const WORD_LENGTH_MIN = 4;
/** How many characters a password needs besides a word that anybody would try. */
const REST_LENGTH_MIN = 7;

/** The e-mail, its local part and its domain, and the names: whole, and each of their words. */
function wordsOf({ email, names }: PasswordOwner): string[] {
  const [local = '', domain = ''] = email.split('@');
  return [
    email,
    local,
    domain,
    ...local.split(/[._+-]/),
    ...domain.split('.'),
    ...names,
    ...names.flatMap((name) => name.split(' ')),
  ];
}

/** Whether little is left of a password without one of the words, however it is spelt. */
function isMostly(password: string, words: readonly string[]): boolean {
  const plain = plainOf(password);
  return words
    .map(plainOf)
    .filter((word) => word.length >= WORD_LENGTH_MIN)
    .some((word) => plain.includes(word) && plain.replaceAll(word, '').length < REST_LENGTH_MIN);
}

/** Letters and digits, without accents and with the usual look-alike signs read as letters. */
const plainOf = (text: string): string => unleet(text.normalize('NFKD').toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '');

const unleet = (text: string): string => text.replace(/[@4]/g, 'a').replace(/[31!0$5]/g, (sign) => LEET[sign] ?? sign);

/**
 * Returns whether a password has three different characters at most, is a run of the keyboard or
 * the alphabet, or is a common word with decoration.
 */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  if (new Set(plain).size <= 3) return true;
  if (RUNS.some((run) => (run + run).includes(plain) || [...run, ...run].reverse().join('').includes(plain)))
    return true;
  const asWord = unleet(plain);
  return [plain, asWord]
    .map((text) => text.replace(/[^a-z]/g, ''))
    .some((letters) => COMMON.has(letters) || COMMON.has(repeated(letters)));
}

const LEET: Record<string, string> = { '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's' };
const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv',
];

/**
 * The first words of lists of leaked passwords, in Brazil and elsewhere, without digits and signs
 * around them.
 */
const COMMON = new Set(
  `password passwords passwordpassword senha senhasenha minhasenha mudarsenha trocarsenha novasenha admin administrador administrator
  trilho trilhopay pagamento pagamentos pix dinheiro empresa loja lojista cliente brasil brasilbrasil saopaulo riodejaneiro
  flamengo corinthians palmeiras santos vasco gremio internacional cruzeiro atletico botafogo fluminense saopaulofc
  jesus jesuscristo deusefiel deusfiel deus gabriel rafael mariana fernanda amanda juliana camila bruno lucas matheus felipe
  teamo teamomuito iloveyou euteamo sucesso futebol familia felicidade welcome letmein changeme monkey dragon football baseball
  master superman batman princess sunshine qwerty qwertyuiop asdfghjkl zxcvbnm qwertyqwerty asdfasdf abcabc trustno
  whatever starwars computer internet michael jennifer`
    .split(/\s+/)
    .filter(Boolean),
);

/** `senhasenhasenha` is `senha`. */
function repeated(word: string): string {
  for (let size = 3; size <= word.length / 2; size++) {
    const part = word.slice(0, size);
    if (word.length % size === 0 && part.repeat(word.length / size) === word) return part;
  }
  return word;
}
