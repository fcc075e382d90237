import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { type AuditListing, searchAudit } from '#db/audit/search-audit.ts';
import { endSessions, findTotpSecret, listPasskeys, listSessions } from '#db/members/members.ts';
import type { AuditKind } from '#domain/audit/audit-kind.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { readBrl } from '#domain/values/money.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import type { AuditFilter } from '../audit/audit-filter.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

export type { AuditListing };

type Who = { member: Member; origin: Origin };

/** An audit record with its amount. */
export type NotedAction = AuditListing & {
  /** Null: the action is not about an amount. */
  amountCentavos: bigint | null;
};

/** How a member signs in, and where they are signed in. */
export async function getSecurity(deps: Pick<Deps, 'db' | 'clock' | 'testClock'>, member: Member) {
  const { db } = deps;
  const [totp, passkeys, sessions] = await Promise.all([
    findTotpSecret(db, member.memberId),
    listPasskeys(db, member.memberId),
    listSessions(db, member.memberId, ownTime(deps)),
  ]);
  return { hasTotp: totp !== null, passkeys, sessions };
}

/**
 * The audit of a merchant, newest first; `next` is where the following page begins, null after the
 * last. A page may have fewer entries than its limit, or none, although another one follows.
 */
export async function listActivity(
  { db }: Pick<Deps, 'db'>,
  merchantId: string,
  { kind, before, limit, ...filter }: AuditFilter & { kind: AuditKind; before: bigint | null; limit: number },
): Promise<{ entries: NotedAction[]; next: bigint | null }> {
  const { entries, next } = await searchAudit(db.pool, { merchantId, kind, before, limit, ...filter });
  return { entries: entries.map((entry) => ({ ...entry, amountCentavos: amountOf(entry) })), next };
}

/** The id of the merchant that an account belongs to. Errors (DomainError): not_found. */
export async function getMerchantIdOf({ db, clock }: Pick<Deps, 'db' | 'clock'>, accountId: string): Promise<string> {
  const terms = await findAccountTerms(db.pool, accountId, clock());
  if (!terms) throw new DomainError('not_found');
  return terms.merchantId;
}

/**
 * The audit has the amounts of requests in reais, and those of receipts and decisions in centavos.
 */
const amountOf = ({ details }: AuditListing): bigint | null => {
  const centavos = details.received_centavos ?? details.centavos;
  return typeof centavos === 'number' ? BigInt(centavos) : readBrl(details.amount);
};

/** Ends one session of a member. Errors (DomainError): not_found. */
export async function endSession(deps: Pick<Deps, 'db' | 'clock'>, who: Who, id: string): Promise<void> {
  const audit = () => [memberEntry(deps, who, 'session.ended')];
  if ((await endSessions(deps.db, who.member.memberId, { id }, audit)) === 0) throw new DomainError('not_found');
}

/** Ends all sessions of a member but the one they ask from; returns how many. */
export const endOtherSessions = (deps: Pick<Deps, 'db' | 'clock'>, who: Who): Promise<number> =>
  endSessions(deps.db, who.member.memberId, { allBut: who.member.sessionId }, (ended) => [
    memberEntry(deps, who, 'session.others_ended', { ended }),
  ]);
