import type pg from 'pg';

/** Money that waits for a decision or is owed, by its kind and mode. */
export type WaitingMoney = {
  kind: 'unmatched' | 'sent' | 'operation' | 'review' | 'owed';
  mode: 'live' | 'test';
  count: number;
  centavos: bigint;
  /** Since when the oldest waits; null for what is owed. */
  since: Date | null;
};

/**
 * What waits for a decision, and what accounts owe. In review is what was received, or, of a
 * withdrawal that its provider contradicts, what was withdrawn.
 */
export async function findWaitingMoney(db: pg.Pool): Promise<WaitingMoney[]> {
  const { rows } = await db.query<WaitingMoney>({
    name: 'find-waiting-money',
    text: `SELECT 'unmatched' AS kind, mode, count(*)::integer AS count, sum(centavos - returned_centavos)::bigint AS centavos,
        min(created_at) AS since
      FROM unmatched_payments WHERE state IN ('open', 'returning') GROUP BY mode
      UNION ALL
      SELECT 'sent', mode, count(*)::integer, sum(centavos)::bigint, min(created_at)
      FROM foreign_payouts WHERE state = 'open' AND NOT foreign_payout_is_in_review(id) GROUP BY mode
      UNION ALL
      SELECT 'operation', mode, count(*)::integer, 0::bigint, min(created_at)
      FROM foreign_operations WHERE decided_at IS NULL GROUP BY mode
      UNION ALL
      SELECT 'review', a.mode, count(*)::integer,
        sum(CASE WHEN x.type IN ('pix_out', 'crypto_out') THEN r.expected_centavos
          ELSE r.received_centavos - r.returned_centavos END)::bigint, min(r.created_at)
      FROM reviews r JOIN transactions x ON x.id = r.transaction_id JOIN accounts a ON a.id = x.account_id
      WHERE r.resolved_at IS NULL GROUP BY a.mode
      UNION ALL
      SELECT 'owed', mode, count(*)::integer, -sum(balance_centavos)::bigint, NULL
      FROM ledger_accounts WHERE kind = 'owed' AND balance_centavos < 0 GROUP BY mode`,
  });
  return rows;
}
