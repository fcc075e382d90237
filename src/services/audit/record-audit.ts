import { type AuditEntry, type EntryWithoutNotices, insertAudit } from '#db/audit/audit.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Acting, Member, Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/**
 * Records an act of a member in a commit of its own. `details` are for reading; never a secret.
 * Only for acts that are recorded before they happen, or that happen outside our database: all
 * others are recorded in their own transaction (memberEntry).
 */
export async function recordAudit(
  deps: Pick<Deps, 'db' | 'clock'>,
  who: { member: Member; origin: Origin; accountId?: string },
  action: string,
  details: AuditEntry['details'] = {},
): Promise<void> {
  await insertAudit(deps.db, memberEntry(deps, who, action, details));
}

/** The audit entry of a member's act, to be written in the act's own transaction. */
export function memberEntry(
  deps: Pick<Deps, 'clock'>,
  who: { member: Member; origin: Origin; accountId?: string },
  action: string,
  details: AuditEntry['details'] = {},
): EntryWithoutNotices {
  const { member, origin, accountId = null } = who;
  const { memberId, merchantId } = member;
  return { merchantId, memberId, accountId, action, details, ...origin, at: ownTime(deps) };
}

/**
 * Who operates, where a command or the console acts: the operator's user name on this machine or
 * their e-mail, and from where the console was called. Nothing else sets these.
 */
export type AsOperator = { operator?: string; origin?: Origin };

/** The audit's details that name the operator. */
export const auditedOperator = ({ operator }: AsOperator): EntryWithoutNotices['details'] =>
  operator === undefined ? {} : { operator };

/** What an operator's act is about that concerns no merchant. */
export const INSTALLATION = { merchantId: null, accountId: null } as const;

/** Records an act of the operator, or of the installation itself, in a commit of its own. */
export async function recordOperatorAudit(
  deps: Pick<Deps, 'db' | 'clock'> & AsOperator,
  about: { merchantId: string; accountId: string | null },
  action: string,
  details: AuditEntry['details'],
): Promise<void> {
  await insertAudit(deps.db, operatorEntry(deps, about, action, details));
}

/** The audit entry of an operator's act, to be written in the act's own transaction. */
export const operatorEntry = (
  deps: Pick<Deps, 'clock'> & AsOperator,
  about: { merchantId: string | null; accountId: string | null },
  action: string,
  details: AuditEntry['details'],
): EntryWithoutNotices => ({
  ...about,
  memberId: null,
  action,
  details: { ...details, ...auditedOperator(deps) },
  ipAddress: deps.origin?.ipAddress ?? null,
  userAgent: deps.origin?.userAgent ?? null,
  at: ownTime(deps),
});

/**
 * The audit entry of an act of a key or a member, to be written in the act's own transaction; null
 * where the installation itself acts.
 */
export function actorEntry(
  deps: Pick<Deps, 'clock'>,
  { actor, merchantId, accountId, origin }: Acting,
  action: string,
  details: AuditEntry['details'],
): EntryWithoutNotices | null {
  if (actor === null) return null;
  const memberId = actor.kind === 'member' ? actor.memberId : null;
  const by: AuditEntry['details'] = actor.kind === 'key' ? { key_id: actor.keyId } : {};
  return { merchantId, memberId, accountId, action, details: { ...details, ...by }, ...origin, at: ownTime(deps) };
}
