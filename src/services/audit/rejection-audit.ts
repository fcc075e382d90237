import { type AuditEntry, insertAudit } from '#db/audit/audit.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/**
 * For one action of one member or key: enough to see who tries what and from where. A flood must
 * not fill a table that can't be pruned.
 */
const ROWS_AN_HOUR = 20;
const HOUR_MS = 3_600_000;
/**
 * Counters that are kept; the oldest are dropped first. Only members and keys that exist have
 * counters.
 */
const COUNTERS_MAX = 10_000;

/** A rejected action; without a member, a key tried it, or the operator of `details.subject`. */
export type RejectedAction = Pick<AuditEntry, 'merchantId' | 'memberId' | 'accountId' | 'action' | 'details'> & {
  keyId?: string;
  origin: Origin;
};

export type RejectionAudit = {
  /**
   * Records it, unless it was recorded often enough within the hour. Never fails: the rejection
   * does not depend on it.
   */
  note(entry: RejectedAction): Promise<void>;
};

/**
 * The errors that suggest an attempt at something forbidden; other rejections are mistakes, and are
 * in the request log.
 */
const NOTED: ReadonlySet<string> = new Set([
  'permission_denied',
  'ip_not_allowed',
  'account_suspended',
  'kyc_not_approved',
  'withdrawals_paused',
  'not_a_payee',
  'payee_waits',
  'confirmation_failed',
  'too_many_attempts',
]);

export const isNotedRejection = (code: unknown): code is string => typeof code === 'string' && NOTED.has(code);

/** Rejections of what a member proves themselves with, as the audit names them. */
const PROOFS: Record<string, string> = {
  confirmation_failed: 'confirmation.failed',
  too_many_attempts: 'confirmation.locked',
};

/**
 * The audit's name for an action that was rejected with the error `why`. `audit`: the action's name
 * when it is done, such as `withdrawal.requested`; `otherwise`: the subject of one that has none.
 */
export const rejectedName = (why: string, audit: string | undefined, otherwise: string): string =>
  PROOFS[why] ?? `${audit?.split('.')[0] ?? otherwise}.rejected`;

/** Records what a member tried and was not allowed to do, or could not prove. */
export const noteMemberRejection = (
  rejections: RejectionAudit,
  by: { member: Member; accountId: string | null; origin: Origin },
  { operation, why, audit }: { operation: string; why: string; audit?: string | undefined },
): Promise<void> =>
  rejections.note({
    memberId: by.member.memberId,
    merchantId: by.member.merchantId,
    accountId: by.accountId,
    origin: by.origin,
    action: rejectedName(why, audit, 'member'),
    details: { operation, why },
  });

/**
 * Records rejections. It counts them in this process's memory, so that those that are not recorded
 * cost the database nothing: a counter begins with the first rejection of an hour; the first twenty
 * are recorded, then the 40th, 80th, 160th and so on, each with its number, so that the last one
 * shows within a factor of two how many there were.
 */
export function createRejectionAudit(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'observe'>): RejectionAudit {
  const { db, clock, log, observe } = deps;
  const counters = new Map<string, { since: number; count: number }>();

  const countOf = (key: string, now: number): number => {
    const counter = counters.get(key);
    if (counter && now - counter.since < HOUR_MS) return ++counter.count;
    counters.delete(key);
    if (counters.size >= COUNTERS_MAX) counters.delete(counters.keys().next().value as string);
    counters.set(key, { since: now, count: 1 });
    return 1;
  };

  return {
    async note({ keyId, origin, details, ...entry }) {
      const at = clock();
      const who = keyId ?? entry.memberId ?? details.subject;
      const count = countOf(`${entry.action} ${who}`, at.getTime());
      if (!isWrittenDown(count)) return;
      const numbered = { ...details, ...(keyId !== undefined && { key_id: keyId }), count_in_hour: count };
      await insertAudit(db, { ...entry, details: numbered, ...origin, at }).catch((err: unknown) => {
        observe({ kind: 'record_dropped', record: 'audit', reason: 'database', count: 1 });
        log.error({ err, action: entry.action }, 'The audit could not be written.');
      });
    },
  };
}

const isWrittenDown = (count: number): boolean =>
  count <= ROWS_AN_HOUR || Number.isInteger(Math.log2(count / ROWS_AN_HOUR));
