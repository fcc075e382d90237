import type pg from 'pg';
import { firstUuidAt } from '#domain/values/uuid.ts';
import { APPROVE_WITHIN_MS } from '#domain/withdrawals/approvals.ts';

/**
 * Crypto withdrawals of this quantity that have failed, were sent in this period, and whose id at
 * the provider is unknown, the first sent first.
 */
export async function findFailedPayouts(
  db: pg.Pool,
  like: { rail: string; currency: string; units: bigint; sentFrom: Date; sentTo: Date },
): Promise<{ id: string; wallet: string | null }[]> {
  const { rows } = await db.query<{ id: string; wallet: string | null }>({
    name: 'find-failed-payouts',
    // By account, as findPayoutsInDoubt does.
    text: `SELECT t.id, t.wallet FROM accounts a CROSS JOIN LATERAL (
        SELECT * FROM transactions
        WHERE account_id = a.id AND type = 'crypto_out' AND status = 'failed' AND id >= $6 OFFSET 0) AS t
      WHERE t.rail = $1 AND t.currency = $2 AND t.units = $3 AND t.provider_id IS NULL
        AND t.payout_sent_at BETWEEN $4 AND $5
      ORDER BY t.payout_sent_at, t.id`,
    values: [
      like.rail,
      like.currency,
      like.units,
      like.sentFrom,
      like.sentTo,
      // It is sent at once, or when it is approved.
      firstUuidAt(new Date(like.sentFrom.getTime() - APPROVE_WITHIN_MS)),
    ],
  });
  return rows;
}
