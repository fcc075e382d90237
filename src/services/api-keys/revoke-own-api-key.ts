import { findApiKey, revokeKey } from '#db/api-keys/api-keys.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { type ApiKeyView, withState } from './list-api-keys.ts';
import type { ActingMember } from './principal.ts';

/**
 * Revokes a key of a member's own account at once, in every process. Revoking one that is revoked
 * already changes nothing. Errors (DomainError): not_found (no key of this account).
 */
export async function revokeOwnApiKey(
  deps: Pick<Deps, 'db' | 'clock'>,
  who: ActingMember,
  keyId: string,
): Promise<ApiKeyView> {
  const now = ownTime(deps);
  const { db } = deps;
  const revoked = await revokeKey(db, { id: keyId, accountId: who.accountId }, now, ({ name }) =>
    memberEntry(deps, who, 'api_key.revoked', { key_id: keyId, name }),
  );
  const key = revoked && (await findApiKey(db, who.accountId, keyId));
  if (!revoked || !key) throw new DomainError('not_found');
  return withState(key, now);
}
