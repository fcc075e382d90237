import { randomInt } from 'node:crypto';

/** No real institution has this ISPB. */
const ISPB = '99999999';
const RANDOM_CHARACTERS = 11;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a new payment's id: E, ISPB, yyyyMMddHHmm in UTC, 11 alphanumerics; 32 characters. */
export function newEndToEndId(now: Date): string {
  return newId('E', now);
}

/** Returns a new devolução's id (rtrId): the same with a D. */
export function newReturnId(now: Date): string {
  return newId('D', now);
}

function newId(letter: 'E' | 'D', now: Date): string {
  const minute = now.toISOString().replace(/\D/g, '').slice(0, 12);
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `${letter}${ISPB}${minute}${random.join('')}`;
}
