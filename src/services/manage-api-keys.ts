import { findAccountMode, insertApiKey, revokeApiKeys } from '#db/accounts.ts';
import { announceAccountChange } from '#db/api-keys.ts';
import { generateApiKey, hashApiKey, readApiKey } from '#domain/api-key-format.ts';
import { isUuid, uuidv7 } from '#domain/uuid.ts';
import type { Deps } from './deps.ts';

type KeyDeps = Pick<Deps, 'db' | 'clock'>;

/** A further key of an account, shown this once; null when there is no such account. */
export async function createApiKey(deps: KeyDeps, input: { accountId: string; name: string }) {
  const mode = isUuid(input.accountId) ? await findAccountMode(deps.db, input.accountId) : null;
  if (!mode) return null;
  const now = deps.clock();
  const apiKey = generateApiKey(mode);
  const id = uuidv7(now);
  const prefix = readApiKey(apiKey)?.prefix ?? '';
  await insertApiKey(deps.db, { id, ...input, hash: hashApiKey(apiKey), prefix, now });
  return { keyId: id, apiKey, mode };
}

/** Revokes a key, named by its id or by itself, in every process within a second; null when there is no such key. */
export async function revokeApiKey(deps: KeyDeps, key: string): Promise<{ keyId: string } | null> {
  const which = isUuid(key) ? { id: key } : { hash: hashApiKey(key) };
  const [revoked] = await revokeApiKeys(deps.db.pool, which, deps.clock());
  if (!revoked) return null;
  await announceAccountChange(deps.db.pool, revoked.accountId);
  return { keyId: revoked.keyId };
}
