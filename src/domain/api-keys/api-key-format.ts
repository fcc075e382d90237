import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The form of an API key: `tr_live_` or `tr_test_`, 30 random base62 characters (178 bits), 6
 * characters of checksum. The prefix lets people and secret scanners recognise it; the checksum
 * rejects a mistyped key before the database is asked.
 */
export type Mode = 'live' | 'test';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;

/** 62^6 exceeds 2^32, so six characters hold any CRC-32. */
const CHECKSUM_LENGTH = 6;

/**
 * `tr_live_` and four random characters: enough to distinguish a member's keys, and 154 bits stay
 * unknown.
 */
const PREFIX_LENGTH = 12;

/**
 * How many characters of the end of a key are shown, so that its holder recognises it. They are
 * part of the checksum and reveal 24 bits about the rest.
 */
const LAST_LENGTH = 4;

/**
 * Random bytes from here on are thrown away: 248 is the largest multiple of 62 in a byte, so every
 * character is equally likely.
 */
const BYTE_LIMIT = 256 - (256 % ALPHABET.length);

const API_KEY = /^tr_(?<mode>live|test)_[0-9A-Za-z]{36}$/;

/** Returns a new key. It is shown once; only its hash (hashApiKey) is stored. */
export function generateApiKey(mode: Mode): string {
  const body = `tr_${mode}_${randomBase62(RANDOM_LENGTH)}`;
  return body + checksumOf(body);
}

/**
 * Returns the mode and the recognisable beginning of a well-formed key; `null` when its shape or
 * checksum is wrong. A well-formed key need not exist: look its hash up.
 */
export function readApiKey(text: string): { mode: Mode; prefix: string } | null {
  const mode = API_KEY.exec(text)?.groups?.mode;
  if (mode !== 'live' && mode !== 'test') return null;
  if (checksumOf(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return { mode, prefix: displayPartsOf(text).prefix };
}

/** Returns the parts of a key that are stored readable, so that its holder recognises it. */
export const displayPartsOf = (key: string): { prefix: string; lastFour: string } => ({
  prefix: key.slice(0, PREFIX_LENGTH),
  lastFour: key.slice(-LAST_LENGTH),
});

/**
 * Returns the SHA-256 of a key, 32 bytes. A fast hash suffices, because 178 random bits can't be
 * guessed as a password can.
 */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < BYTE_LIMIT) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
