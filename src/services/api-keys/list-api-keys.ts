import { listApiKeys as findKeys, type StoredKey } from '#db/api-keys/api-keys.ts';
import { type ApiKeyState, apiKeyState, WORKING_KEYS_MAX } from '#domain/api-keys/api-key-state.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';

/** All that can be active, and as many that ended: older ones are in the audit. */
const KEYS_LISTED_MAX = 2 * WORKING_KEYS_MAX;

export type ApiKeyView = StoredKey & { state: ApiKeyState };

/** An account's keys: active ones first, then the newest. */
export async function listApiKeys(deps: Pick<Deps, 'db' | 'clock'>, accountId: string): Promise<ApiKeyView[]> {
  const now = ownTime(deps);
  const keys = await findKeys(deps.db, { accountId, now, limit: KEYS_LISTED_MAX });
  return keys.map((key) => withState(key, now));
}

export const withState = (key: StoredKey, now: Date): ApiKeyView => ({ ...key, state: apiKeyState(key, now) });
