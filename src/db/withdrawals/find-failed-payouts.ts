import type pg from 'pg';
import { ID_OLDER_MAX_MS } from '#domain/transactions/id-age.ts';
import { firstUuidAt } from '#domain/values/uuid.ts';

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
      // It is sent at once, or when it is approved; its id may be of an earlier try of the request.
      firstUuidAt(new Date(like.sentFrom.getTime() - ID_OLDER_MAX_MS)),
    ],
  });
  return rows;
}
