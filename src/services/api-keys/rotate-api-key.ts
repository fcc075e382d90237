import { findApiKey, replaceApiKey, type StoredKey } from '#db/api-keys/api-keys.ts';
import { OVERLAP_HOURS_MAX } from '#domain/api-keys/api-key-state.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { memberEntry } from '../audit/record-audit.ts';
import { prepareOwnChangeNotices } from '../members/notify-change.ts';
import type { NotifyDeps } from '../members/notify-members.ts';
import { rejectTooMany } from './create-own-api-key.ts';
import { type ApiKeyView, withState } from './list-api-keys.ts';
import { auditedKey, describeKey, newKey } from './manage-api-keys.ts';
import type { ActingMember } from './principal.ts';

const HOUR_MS = 3_600_000;

/**
 * Replaces a key of a member's own account by a new one, shown this once, with the same name,
 * permissions, addresses and caps, and the same lifetime counted from now. The old key works for
 * `overlapHours` more (0 to OVERLAP_HOURS_MAX; 0: it ends at once), or until its own expiry where
 * that is earlier. Errors (DomainError): invalid_input, not_found (no key of this account),
 * invalid_state (it is not active or has a replacement already, or there are too many active keys).
 */
export async function rotateApiKey(
  deps: NotifyDeps,
  who: ActingMember,
  { keyId, overlapHours }: { keyId: string; overlapHours: number },
): Promise<{ key: ApiKeyView; apiKey: string; replaced: ApiKeyView }> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_HOURS_MAX) {
    const details = [fieldIssue('overlap_hours', 'not_between', { min: 0, max: OVERLAP_HOURS_MAX })];
    throw new DomainError('invalid_input', { details });
  }
  const { accountId, mode } = who;
  const { db } = deps;
  if (!(await findApiKey(db, accountId, keyId))) throw new DomainError('not_found');
  const now = ownTime(deps);
  // With an overlap both keys are active for a while.
  if (overlapHours > 0) await rejectTooMany(deps, accountId, now);
  const { apiKey, ...made } = newKey(mode, now);
  const replacement = { ...made, rotatedById: who.member.memberId };
  const until = new Date(now.getTime() + overlapHours * HOUR_MS);
  const notices = await prepareOwnChangeNotices(deps, who);
  const audit = (made: StoredKey, oldKeyWorksUntil: Date) => {
    const details = { replaced_key_id: keyId, replaced_works_until: oldKeyWorksUntil.toISOString() };
    return {
      ...memberEntry(deps, who, 'api_key.rotated', { ...auditedKey(made), ...details }),
      notices: notices('api_key_rotated', describeKey(made)),
    };
  };
  const rotated = await replaceApiKey(db, { accountId, keyId, replacement, until, now, audit });
  if (!rotated) throw new DomainError('invalid_state');
  deps.wakeWorkers();
  return { key: withState(rotated.key, now), apiKey, replaced: withState(rotated.replaced, now) };
}
