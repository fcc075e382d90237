import { createHash, randomBytes } from 'node:crypto';

/** 256 bits (ASVS 11.5.1 asks for 128), so that a token can't be guessed. */
const TOKEN_BYTES = 32;
/** base64url of 32 bytes. */
const TOKEN = /^[\w-]{43}$/;

/** Returns the secret of a link that is mailed, and its SHA-256: only the latter is stored. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** Returns the hash that is stored of a token; `null` for a text that is no token. */
export const linkTokenHash = (token: string): Buffer | null => (TOKEN.test(token) ? hashOf(token) : null);

const hashOf = (token: string) => createHash('sha256').update(token).digest();
