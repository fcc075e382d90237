import type pg from 'pg';
import type { WithdrawalStatus } from '#domain/transactions/transaction-states.ts';

/**
 * The payouts of withdrawals at their providers: each change is one SQL function (see the ledger's
 * migrations), one commit, with ledger, event and deliveries.
 */

type Outbox = { eventId: string; eventType: string; eventBody: string };
type Change = {
  id: string;
  from: WithdrawalStatus;
  providerId: string | null;
  endToEndId: string | null;
  now: Date;
} & Outbox;

/**
 * The ids of crypto withdrawals that may have been sent and whose id at the provider is unknown,
 * the oldest first. `currency` null: of all.
 */
export async function findPayoutsInDoubt(
  db: pg.Pool,
  { rail, currency, limit }: { rail: string; currency: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-payouts-in-doubt',
    // Few wait: by account, so that the rest of the rail's transactions are not looked through.
    text: `SELECT t.id FROM accounts a CROSS JOIN LATERAL (
        SELECT * FROM transactions WHERE account_id = a.id AND type = 'crypto_out' AND status = 'pending' OFFSET 0) AS t
      WHERE t.rail = $1 AND ($2::text IS NULL OR t.currency = $2) AND t.provider_id IS NULL
        AND t.payout_step IN ('sending', 'unknown')
      ORDER BY t.id LIMIT $3`,
    values: [rail, currency, limit],
  });
  return rows.map(({ id }) => id);
}

/**
 * `already_started`: another process claimed it, or it has ended. `blocked`: no money may leave its
 * account any more.
 */
export type PayoutClaim = 'started' | 'already_started' | 'blocked';

/**
 * Claims the right to send, once; `sentBefore` is the attempt of a process that died, known to have
 * reached no provider.
 */
export async function startPayout(db: pg.Pool, id: string, sentBefore: Date | null, now: Date): Promise<PayoutClaim> {
  const { rows } = await db.query<{ claim: PayoutClaim }>({
    name: 'payout-start',
    text: 'SELECT payout_start($1, $2, $3) AS claim',
    values: [id, sentBefore, now],
  });
  if (!rows[0]) throw new Error('payout_start answered nothing.');
  return rows[0].claim;
}

/**
 * Ends a withdrawal that was not started since `sentBefore`, because no money may leave its
 * account; false when that is no longer so.
 */
export async function failBlockedPayout(
  db: pg.Pool,
  stop: { id: string; sentBefore: Date | null; now: Date } & Outbox,
): Promise<boolean> {
  const { rows } = await db.query<{ failed: boolean }>({
    name: 'payout-fail-blocked',
    text: 'SELECT payout_fail_blocked($1, $2, $3, $4, $5, $6) AS failed',
    values: [stop.id, stop.sentBefore, stop.now, stop.eventId, stop.eventType, stop.eventBody],
  });
  return rows[0]?.failed ?? false;
}

/** Notes that the provider did not answer: from here on the payout is only asked about. */
export async function markPayoutUnknown(db: pg.Pool, id: string, now: Date): Promise<void> {
  await db.query(
    `UPDATE transactions SET payout_step = 'unknown', updated_at = $2 WHERE id = $1 AND payout_step = 'sending'`,
    [id, now],
  );
}

/** Notes the quantity of crypto that a withdrawal has sent, while it is open. */
export async function saveSentUnits(db: pg.Pool, id: string, units: bigint, now: Date): Promise<void> {
  await db.query(
    `UPDATE transactions SET units = $2, updated_at = $3 WHERE id = $1 AND type = 'crypto_out' AND status = 'pending'`,
    [id, units, now],
  );
}

/**
 * Marks every withdrawal as unknown that this database does not know to be sent: for one that was
 * restored to `at`, where it may have been sent since. One that waited for its approval may have
 * been approved since: it is asked about, too. One that is scheduled keeps waiting: its id was made
 * when it was planned, so that the provider pays it once, whichever database sends it.
 */
export async function markUnsentPayoutsUnknown(db: pg.ClientBase, at: Date): Promise<void> {
  const { scheduledIds, notBegunIds } = await findScheduledIds(db);
  await db.query(
    `WITH waiting AS (
       DELETE FROM tasks WHERE kind IN ('notify_approval', 'expire_approval') AND subject_id <> ALL ($2::uuid[])
       RETURNING subject_id
     ), asked AS (
       INSERT INTO tasks (kind, subject_id, due_at) SELECT DISTINCT 'payout', subject_id, $1::timestamptz FROM waiting
       ON CONFLICT DO NOTHING
     )
     UPDATE transactions SET payout_step = 'unknown', sub_status = NULL,
       payout_sent_at = coalesce(payout_sent_at, $1)
     WHERE type IN ('pix_out', 'crypto_out') AND status = 'pending'
       AND (payout_step IS NULL OR payout_step = 'sending') AND id <> ALL ($3::uuid[])`,
    [at, scheduledIds, notBegunIds],
  );
}

/**
 * The withdrawals that were ever scheduled, and those of them that have not begun. A database of a
 * version before scheduled payouts has neither their table nor their columns, and none of them.
 */
async function findScheduledIds(db: pg.ClientBase): Promise<{ scheduledIds: string[]; notBegunIds: string[] }> {
  const { rowCount } = await db.query(`SELECT WHERE to_regclass('public.scheduled_payouts') IS NOT NULL`);
  if (rowCount === 0) return { scheduledIds: [], notBegunIds: [] };
  const { rows } = await db.query<{ id: string; hasBegun: boolean }>(
    `SELECT t.id, t.begun_at IS NOT NULL AS "hasBegun"
     FROM scheduled_payouts s JOIN transactions t ON t.id = s.transaction_id`,
  );
  return {
    scheduledIds: rows.map(({ id }) => id),
    notBegunIds: rows.flatMap(({ id, hasBegun }) => (hasBegun ? [] : [id])),
  };
}

/** For a change that leaves the status as it is. */
export const NO_EVENT = { eventId: null, eventType: null, eventBody: null };

/**
 * Notes that the provider has the payout. Returns the status that the withdrawal had: when it is
 * not `from`, nothing was done.
 */
export const acceptPayout = (
  db: pg.Pool,
  change: Omit<Change, keyof Outbox> & { [Part in keyof Outbox]: string | null } & { to: 'pending' | 'processing' },
): Promise<WithdrawalStatus> =>
  status(db, 'SELECT payout_processing($1, $2, $3, $4, $5, $6, $7, $8, $9) AS status', [
    change.id,
    change.from,
    change.to,
    change.providerId,
    change.endToEndId,
    change.now,
    change.eventId,
    change.eventType,
    change.eventBody,
  ]);

/**
 * Ends a withdrawal that was paid, with ledger, event and deliveries. Returns what acceptPayout
 * does.
 */
export const completePayout = (
  db: pg.Pool,
  change: Change & { txHashes: string[]; paidAt: Date },
): Promise<WithdrawalStatus> =>
  status(db, 'SELECT payout_complete($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS status', [
    change.id,
    change.from,
    change.providerId,
    change.endToEndId,
    change.txHashes,
    change.paidAt,
    change.now,
    change.eventId,
    change.eventType,
    change.eventBody,
  ]);

/**
 * Ends a withdrawal that failed, and gives the money back. Returns what acceptPayout does; null
 * when another attempt has followed the one of `sentAt`, which is null where its sender does not
 * say it.
 */
export const failPayout = (
  db: pg.Pool,
  change: Change & { failureCode: string; sentAt: Date | null },
): Promise<WithdrawalStatus | null> =>
  status(db, 'SELECT payout_fail($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS status', [
    change.id,
    change.from,
    change.providerId,
    change.endToEndId,
    change.failureCode,
    change.sentAt,
    change.now,
    change.eventId,
    change.eventType,
    change.eventBody,
  ]);

/** Puts an ended withdrawal into review; moves no money. Returns what acceptPayout does. */
export const reviewPayout = (
  db: pg.Pool,
  change: Change & { txHashes: string[]; failureCode: string },
): Promise<WithdrawalStatus> =>
  status(db, 'SELECT payout_review($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS status', [
    change.id,
    change.from,
    change.providerId,
    change.endToEndId,
    change.txHashes,
    change.failureCode,
    change.now,
    change.eventId,
    change.eventType,
    change.eventBody,
  ]);

/** The statement is prepared under the name of the function that it calls. */
async function status(db: pg.Pool, text: string, values: unknown[]): Promise<WithdrawalStatus> {
  const name = text.slice('SELECT '.length, text.indexOf('('));
  const { rows } = await db.query<{ status: WithdrawalStatus }>({ name, text, values });
  if (!rows[0]) throw new Error('A ledger function answered nothing.');
  return rows[0].status;
}

/** Whether this end-to-end id is that of another withdrawal of the rail. */
export async function isOfAnotherPayout(
  db: pg.Pool,
  payment: { id: string; rail: string; endToEndId: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-of-another-payout',
    text: `SELECT FROM transactions WHERE end_to_end_id = $1 AND rail = $2 AND type = 'pix_out' AND id <> $3`,
    values: [payment.endToEndId, payment.rail, payment.id],
  });
  return rowCount !== 0;
}

/** The withdrawal that has this end-to-end id, over this rail or one beside it; null: none has. */
export async function findPayoutOfPayment(
  db: pg.Pool,
  payment: { rail: string; endToEndId: string },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-payout-of-payment',
    text: `SELECT id FROM transactions WHERE end_to_end_id = $1 AND rail = ANY (rails_beside($2)) AND type = 'pix_out'`,
    values: [payment.endToEndId, payment.rail],
  });
  return rows[0]?.id ?? null;
}

/** Ids of the provider's payouts that other withdrawals of this rail have taken already. */
export async function findTakenPayouts(
  db: pg.Pool,
  rail: string,
  providerIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT provider_id AS id FROM transactions WHERE rail = $1 AND provider_id = ANY ($2)',
    [rail, providerIds],
  );
  return new Set(rows.map(({ id }) => id));
}
