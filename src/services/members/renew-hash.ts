import type { Deps } from '../deps.ts';
import { isArgon2Hash } from './argon2-hash.ts';
import { passwordHashing } from './password-hashing.ts';

/**
 * Has the hash of a password that has just proved right replaced where it is not of argon2id.
 * Never throws: whoever signs in does so with the older one, too, and the next time brings the
 * other.
 */
export async function renewHash(
  { log }: Pick<Deps, 'log'>,
  { hash, password }: { hash: string; password: string },
  replace: (hashes: { from: string; to: string }) => Promise<void>,
): Promise<void> {
  if (isArgon2Hash(hash)) return;
  try {
    await replace({ from: hash, to: await passwordHashing.hash(password) });
  } catch (err) {
    log.warn({ err }, 'A password could not be hashed again; trying again at its next sign-in.');
  }
}
