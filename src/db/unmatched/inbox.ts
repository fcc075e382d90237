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

/** What waits for a decision, and since when the oldest does. */
export type InboxPile = { count: number; centavos: bigint; oldestAt: Date | null };

const NOTHING: InboxPile = { count: 0, centavos: 0n, oldestAt: null };

/** What of the inbox waits: what came without a charge, and what left without a request. */
export async function findInboxPiles(
  db: pg.Pool,
  accountId: string,
): Promise<{ unmatched: InboxPile; unrequested: InboxPile }> {
  const { rows } = await db.query<InboxPile & { left: boolean }>({
    name: 'find-inbox-piles',
    text: `SELECT has_left AS "left", count(*)::integer AS count, sum(centavos)::bigint AS centavos, min(at) AS "oldestAt"
      FROM (
        SELECT false AS has_left, centavos - returned_centavos AS centavos, created_at AS at FROM unmatched_payments
        WHERE state IN ('open', 'returning') AND state = 'open' AND account_id = $1
        UNION ALL
        SELECT true, centavos, created_at FROM foreign_payouts
        WHERE state = 'open' AND account_id = $1 AND NOT foreign_payout_is_in_review(id)
      ) AS waiting GROUP BY has_left`,
    values: [accountId],
  });
  const pile = (hasLeft: boolean) => rows.find(({ left }) => left === hasLeft) ?? NOTHING;
  return { unmatched: pile(false), unrequested: pile(true) };
}
