import type pg from 'pg';
import { askNoted } from '../audit/ask-noted.ts';
import type { EntryWithoutNotices } from '../audit/audit.ts';
import type { Destination, PayeeBlock } from '../payees/payees.ts';
import type { MoneyOutBlock } from './find-pause-end.ts';
import { destinationValues, quoteColumns, type StoredQuote } from './withdrawals.ts';

/**
 * Withdrawals that wait for a second person: each decision is one SQL function, one commit, with
 * what follows from it.
 */

/**
 * `unknown`: nothing of this account waits, or waited, under this id. `decided`: it waits no more.
 */
type NotWaiting = 'unknown' | 'decided';

/**
 * `own`: the member counts as having asked. `paused`: the member may send no money now;
 * `asker_paused`: who asked may not. `insufficient_funds`: the account owes by now.
 */
export type ApproveOutcome =
  | 'approved'
  | NotWaiting
  | 'own'
  | MoneyOutBlock
  | 'asker_paused'
  | PayeeBlock
  | 'insufficient_funds';

/** `waiting`: it has time left. */
export type DeclineOutcome = 'declined' | NotWaiting | 'waiting';

/**
 * Approves a withdrawal, once, and writes the task that sends it. `requote`: what a crypto
 * withdrawal buys now; null over PIX.
 */
export async function approveWithdrawal(
  db: pg.Pool,
  approval: {
    id: string;
    accountId: string;
    memberId: string;
    requote: { units: bigint; quote: StoredQuote } | null;
    destination: Destination;
    now: Date;
  },
  audit: EntryWithoutNotices | null = null,
): Promise<ApproveOutcome> {
  const { id, accountId, memberId, requote, destination, now } = approval;
  const columns = requote && { units: String(requote.units), ...quoteColumns(requote.quote) };
  return askNoted(
    db,
    'SELECT withdrawal_approve($1, $2, $3, $4, $5, $6, $7, $8) AS outcome',
    [accountId, id, memberId, columns && JSON.stringify(columns), now, ...destinationValues(destination)],
    audit && { entry: audit, when: ['approved'] },
  );
}

/** Fails a withdrawal that waits and gives the money back; `memberId` null: its time has ended. */
export async function declineWithdrawal(
  db: pg.Pool,
  decline: {
    id: string;
    accountId: string;
    memberId: string | null;
    /** Sealed. */
    reason: string | null;
    failureCode: string;
    now: Date;
    eventId: string;
    eventType: string;
    eventBody: string;
  },
  audit: EntryWithoutNotices | null = null,
): Promise<DeclineOutcome> {
  const { id, accountId, memberId, reason, failureCode, now, eventId, eventType, eventBody } = decline;
  return askNoted(
    db,
    'SELECT withdrawal_decline($1, $2, $3, $4, $5, $6, $7, $8, $9) AS outcome',
    [accountId, id, memberId, reason, failureCode, now, eventId, eventType, eventBody],
    audit && { entry: audit, when: ['declined'] },
  );
}

/**
 * Lets a withdrawal that waits, and that its PSP has, go on as one that was sent. Returns false
 * when it waits no more.
 */
export async function resumeWithdrawal(db: pg.Pool, id: string, now: Date): Promise<boolean> {
  const { rows } = await db.query<{ resumed: boolean }>({
    name: 'withdrawal-resume',
    text: 'SELECT withdrawal_resume($1, $2) AS resumed',
    values: [id, now],
  });
  return rows[0]?.resumed ?? false;
}

export type ApprovalRow = {
  /** Of the key or the member who asked; null: the installation itself. */
  askedBy: string | null;
  keyId: string | null;
  memberId: string | null;
  /** The first key of the assistant that asked; null: none did. */
  assistantId: string | null;
  /** The members who count as having asked. */
  askerIds: string[];
  expiresAt: Date;
  outcome: 'approved' | 'declined' | 'expired' | null;
  /** The name of the member. */
  decidedBy: string | null;
  decidedAt: Date | null;
  /** Sealed. */
  reason: string | null;
};

/**
 * The approval of a withdrawal; null: it needs and needed none. The caller has checked the account.
 */
export async function findApproval(db: pg.Pool, transactionId: string): Promise<ApprovalRow | null> {
  const { rows } = await db.query<ApprovalRow>({
    name: 'find-approval',
    text: `SELECT coalesce(k.name, m.name) AS "askedBy", w.key_id AS "keyId", w.member_id AS "memberId",
        w.asker_ids AS "askerIds", w.expires_at AS "expiresAt", w.outcome, d.name AS "decidedBy",
        w.decided_at AS "decidedAt", w.reason, w.assistant_id AS "assistantId"
      FROM withdrawal_approvals w LEFT JOIN api_keys k ON k.id = w.key_id
        LEFT JOIN members m ON m.id = w.member_id LEFT JOIN members d ON d.id = w.decided_by_id
      WHERE w.transaction_id = $1`,
    values: [transactionId],
  });
  return rows[0] ?? null;
}
