import { type AuditEntry, insertAudit } from '#db/audit/audit.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Acting, Member, Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/**
 * Notes what a member did, where from. `details` are for reading; never a secret. Only for what is
 * noted before it is done, or is done by somebody else: what our own database does is noted in its
 * transaction (memberEntry).
 */
export async function recordAudit(
  deps: Pick<Deps, 'db' | 'clock'>,
  who: { member: Member; origin: Origin; accountId?: string },
  action: string,
  details: AuditEntry['details'] = {},
): Promise<void> {
  await insertAudit(deps.db, memberEntry(deps, who, action, details));
}

/** What the audit says of a member's act, to be written in the act's own transaction. */
export function memberEntry(
  deps: Pick<Deps, 'clock'>,
  who: { member: Member; origin: Origin; accountId?: string },
  action: string,
  details: AuditEntry['details'] = {},
): AuditEntry {
  const { member, origin, accountId = null } = who;
  const { memberId, merchantId } = member;
  return { merchantId, memberId, accountId, action, details, ...origin, at: ownTime(deps) };
}

/**
 * What a command or the console works with, and nothing else: the operator, by their name on this
 * machine or their e-mail, and where the console was asked from.
 */
export type AsOperator = { operator?: string; origin?: Origin };

/** What the audit says of who typed a command. */
export const auditedOperator = ({ operator }: AsOperator): AuditEntry['details'] =>
  operator === undefined ? {} : { operator };

/** What an operator does that is about no merchant. */
export const INSTALLATION = { merchantId: null, accountId: null } as const;

/** Notes what the operator did, or the installation by itself. */
export async function recordOperatorAudit(
  deps: Pick<Deps, 'db' | 'clock'> & AsOperator,
  about: { merchantId: string; accountId: string | null },
  action: string,
  details: AuditEntry['details'],
): Promise<void> {
  await insertAudit(deps.db, operatorEntry(deps, about, action, details));
}

/** What the audit says of an operator's act, to be written in the act's own transaction. */
export const operatorEntry = (
  deps: Pick<Deps, 'clock'> & AsOperator,
  about: { merchantId: string | null; accountId: string | null },
  action: string,
  details: AuditEntry['details'],
): AuditEntry => ({
  ...about,
  memberId: null,
  action,
  details: { ...details, ...auditedOperator(deps) },
  ipAddress: deps.origin?.ipAddress ?? null,
  userAgent: deps.origin?.userAgent ?? null,
  at: ownTime(deps),
});

/**
 * What the audit says of the act of a key or a member, to be written in the act's own transaction.
 * Null: the installation itself acts.
 */
export function actorEntry(
  deps: Pick<Deps, 'clock'>,
  { actor, merchantId, accountId, origin }: Acting,
  action: string,
  details: AuditEntry['details'],
): AuditEntry | null {
  if (actor === null) return null;
  const memberId = actor.kind === 'member' ? actor.memberId : null;
  const by: AuditEntry['details'] = actor.kind === 'key' ? { key_id: actor.keyId } : {};
  return { merchantId, memberId, accountId, action, details: { ...details, ...by }, ...origin, at: ownTime(deps) };
}
