import { parseEmail, parsePhone } from '../values/contact.ts';
import { parseDocument } from '../values/documents.ts';
import { isUuid } from '../values/uuid.ts';

/** The kinds of key that DICT, the central bank's directory, has. */
export type PixKeyType = 'cpf' | 'cnpj' | 'email' | 'phone' | 'evp';

/**
 * A Map, because an object would have `constructor` too. `random` is what some PSPs call an EVP.
 */
const TYPES = new Map<string, PixKeyType>([
  ['cpf', 'cpf'],
  ['cnpj', 'cnpj'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['evp', 'evp'],
  ['random', 'evp'],
]);

/** DICT API, "Chaves". */
const EMAIL_LENGTH_MAX = 77;

/**
 * The characters of DICT's pattern for an e-mail. Matched before the case is folded: folding would
 * turn a foreign letter (the Kelvin sign) into an ASCII one, and the key into another person's.
 */
const EMAIL_CHARACTERS = /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9.-]+$/i;

/** `+55`, two digits of area code, nine of the number: landlines can't be keys. */
const MOBILE_LENGTH = 14;

/** Reads CPF, CNPJ, EMAIL, PHONE, EVP or RANDOM, in any case; null for any other text. */
export function pixKeyType(text: string): PixKeyType | null {
  // Lower case, because upper case would make an ASCII I of the dotless one.
  return TYPES.get(text.toLowerCase()) ?? null;
}

/**
 * Returns the key as DICT spells it, when it is one of that type, else `null`: CPF 11 digits, CNPJ
 * 14 of [0-9A-Z], e-mail in lower case, phone `+55` + DDD + nine digits, EVP a lower-case UUID. The
 * type decides how a text is read: `51998259765` is a CPF and a phone. Whether the key exists is
 * not checked: DICT charges for misses.
 */
export function parsePixKey(text: string, type: PixKeyType): string | null {
  if (type === 'email') return emailKey(text.trim());
  if (type === 'phone') return mobileKey(text);
  if (type === 'evp') return evpKey(text.trim());
  return parseDocument(text, type);
}

function emailKey(text: string): string | null {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL_CHARACTERS.test(text) ? parseEmail(text) : null;
}

function mobileKey(text: string): string | null {
  const phone = parsePhone(text);
  return phone?.length === MOBILE_LENGTH ? phone : null;
}

/** The version is not checked: the directory's own example is no version 4. */
function evpKey(text: string): string | null {
  return isUuid(text) ? text.toLowerCase() : null;
}
