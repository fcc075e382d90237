import type pg from 'pg';

/**
 * Whether anything ever came or left over an account's own credentials that no charge or request
 * explains: its inbox.
 */
export async function hasInbox(db: pg.Pool, accountId: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>({
    name: 'has-inbox',
    text: `SELECT EXISTS (SELECT FROM unmatched_payments WHERE account_id = $1)
      OR EXISTS (SELECT FROM foreign_payouts WHERE account_id = $1) AS found`,
    values: [accountId],
  });
  return rows[0]?.found ?? false;
}

/** What of the inbox waits for a decision, and since when the oldest does. */
export type InboxPile = { count: number; centavos: bigint; oldestAt: Date | null };

export async function findInboxPile(db: pg.Pool, accountId: string): Promise<InboxPile> {
  const { rows } = await db.query<InboxPile>({
    name: 'find-inbox-pile',
    text: `SELECT count(*)::integer AS count, coalesce(sum(centavos), 0)::bigint AS centavos, min(at) AS "oldestAt"
      FROM (
        SELECT centavos - returned_centavos AS centavos, created_at AS at FROM unmatched_payments
        WHERE state IN ('open', 'returning') AND state = 'open' AND account_id = $1
        UNION ALL
        SELECT centavos, created_at FROM foreign_payouts WHERE state = 'open' AND account_id = $1
      ) AS waiting`,
    values: [accountId],
  });
  return rows[0] ?? { count: 0, centavos: 0n, oldestAt: null };
}
