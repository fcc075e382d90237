import type pg from 'pg';

/** A payout whose outcome is unknown, or whose task fails. */
export type UnsettledPayout = {
  id: string;
  accountId: string;
  type: 'pix_out' | 'crypto_out';
  amountCentavos: bigint;
  currency: string | null;
  units: bigint | null;
  rail: string;
  /** Null: it was not sent. `sending`: whoever sent it did not see the answer. */
  step: 'sending' | 'unknown' | 'sent' | null;
  sentAt: Date | null;
  createdAt: Date;
  /** When its provider is asked next. */
  dueAt: Date;
  attempts: number;
  lastError: string | null;
};

/**
 * Payouts whose outcome is unknown, oldest first: those without an answer, those that were begun
 * before `begunBefore` and have none, and those whose task failed last. Each open payout has a
 * task, by which it is found.
 */
export async function listUnsettledPayouts(db: pg.Pool, begunBefore: Date, limit: number): Promise<UnsettledPayout[]> {
  const { rows } = await db.query<UnsettledPayout>(
    `SELECT t.id, t.account_id AS "accountId", t.type, t.amount_centavos AS "amountCentavos", t.currency, t.units, t.rail,
       t.payout_step AS step, t.payout_sent_at AS "sentAt", t.created_at AS "createdAt", k.due_at AS "dueAt", k.attempts,
       k.last_error AS "lastError"
     FROM tasks k JOIN transactions t ON t.id = k.subject_id
     WHERE k.kind = 'payout' AND t.status IN ('pending', 'processing')
       AND (k.last_error IS NOT NULL OR t.payout_step = 'unknown' OR t.payout_step = 'sending' AND t.payout_sent_at < $1)
     ORDER BY t.id LIMIT $2`,
    [begunBefore, limit],
  );
  return rows;
}
