import { countWorkingKeys, insertApiKey } from '#db/api-keys/api-keys.ts';
import { KEY_LIFETIME_DAYS_MAX, mayExpireAt, WORKING_KEYS_MAX } from '#domain/api-keys/api-key-state.ts';
import type { MoneyCaps } from '#domain/api-keys/money-caps.ts';
import type { Permission } from '#domain/api-keys/permissions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { prepareOwnChangeNotices } from '../members/notify-change.ts';
import type { NotifyDeps } from '../members/notify-members.ts';
import { type ApiKeyView, withState } from './list-api-keys.ts';
import { auditedKey, describeKey, newKey } from './manage-api-keys.ts';
import type { ActingMember } from './principal.ts';

export type OwnKeyInput = {
  name: string;
  permissions: readonly Permission[];
  /** As parseIpRange() returns them. */
  allowedIps: readonly string[];
  /** Null: the key works until it is revoked. */
  expiresAt: Date | null;
  /** Set if and only if the permissions have mcp:withdraw. */
  caps: MoneyCaps | null;
};

/**
 * Creates a further key of a member's own account; `apiKey` is shown this once. Two that are made
 * at the same instant may exceed the maximum by one, which is harmless. Errors (DomainError):
 * invalid_input (expires_at is past or too far away), invalid_state (too many active keys).
 */
export async function createOwnApiKey(
  deps: NotifyDeps,
  who: ActingMember,
  input: OwnKeyInput,
): Promise<{ key: ApiKeyView; apiKey: string }> {
  const now = ownTime(deps);
  if (input.expiresAt && !mayExpireAt(input.expiresAt, now)) {
    const years = KEY_LIFETIME_DAYS_MAX / 365;
    throw invalidField(fieldIssue('expires_at', 'not_in_coming_years', { years }));
  }
  await rejectTooMany(deps, who.accountId, now);
  const { apiKey, ...kept } = newKey(who.mode, now);
  const notices = await prepareOwnChangeNotices(deps, who);
  const key = await insertApiKey(deps.db, {
    ...kept,
    ...input,
    accountId: who.accountId,
    createdById: who.member.memberId,
    now,
    audit: (made) => ({
      ...memberEntry(deps, who, 'api_key.created', auditedKey(made)),
      notices: notices('api_key_created', describeKey(made)),
    }),
  });
  deps.wakeWorkers();
  return { key: withState(key, now), apiKey };
}

/** Throws DomainError `invalid_state` where the account has as many active keys as it may have. */
export async function rejectTooMany(deps: Pick<Deps, 'db'>, accountId: string, now: Date): Promise<void> {
  if ((await countWorkingKeys(deps.db, accountId, now)) >= WORKING_KEYS_MAX) {
    throw new DomainError('invalid_state', { params: { working_keys_max: String(WORKING_KEYS_MAX) } });
  }
}
