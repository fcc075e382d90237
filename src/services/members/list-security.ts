import { type AuditListing, listAudit } from '#db/audit/audit.ts';
import { endSessions, findTotpSecret, listPasskeys, listSessions } from '#db/members/members.ts';
import type { AuditKind } from '#domain/audit/audit-kind.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { readBrl } from '#domain/values/money.ts';
import type { Member } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/** One thing that was done, as it was noted. */
export type NotedAction = AuditListing & {
  /** Of an act with money. */
  amountCentavos: bigint | null;
};

/** How a member signs in, and where they are signed in. */
export async function getSecurity({ db, clock }: Pick<Deps, 'db' | 'clock'>, member: Member) {
  const [totp, passkeys, sessions] = await Promise.all([
    findTotpSecret(db, member.memberId),
    listPasskeys(db, member.memberId),
    listSessions(db, member.memberId, clock()),
  ]);
  return { hasTotp: totp !== null, passkeys, sessions };
}

/**
 * What was done at a member's merchant, newest first; `next` is where the following page begins,
 * null after the last.
 */
export async function listActivity(
  { db }: Pick<Deps, 'db'>,
  member: Member,
  { kind, before, limit }: { kind: AuditKind; before: bigint | null; limit: number },
): Promise<{ entries: NotedAction[]; next: bigint | null }> {
  // One more than is shown says whether there is another page.
  const found = await listAudit(db.pool, { merchantId: member.merchantId, kind, before, limit: limit + 1 });
  const entries = found.slice(0, limit).map((entry) => ({ ...entry, amountCentavos: amountOf(entry) }));
  return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** Answers are noted in reais, what arrived and what was decided about in centavos. */
const amountOf = ({ details }: AuditListing): bigint | null => {
  const centavos = details.received_centavos ?? details.centavos;
  return typeof centavos === 'number' ? BigInt(centavos) : readBrl(details.amount);
};

/** Ends one session of a member. Errors (DomainError): not_found. */
export async function endSession({ db }: Pick<Deps, 'db'>, member: Member, id: string): Promise<void> {
  if ((await endSessions(db, member.memberId, { id })) === 0) throw new DomainError('not_found');
}

/** Ends all sessions of a member but the one they ask from; returns how many. */
export const endOtherSessions = ({ db }: Pick<Deps, 'db'>, member: Member): Promise<number> =>
  endSessions(db, member.memberId, { allBut: member.sessionId });
