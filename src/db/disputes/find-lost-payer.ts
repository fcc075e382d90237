import type pg from 'pg';

/**
 * The last case that this account lost, up to `before`, to a payer with one of these fingerprints:
 * as the PSP has named the payer, or the charge itself. Null when there is none.
 */
export async function findLostPayer(
  db: pg.Pool,
  payer: { accountId: string; documentIndexes: Buffer[]; before: Date },
): Promise<{ disputeId: string; closedAt: Date } | null> {
  const { rows } = await db.query<{ disputeId: string; closedAt: Date }>({
    name: 'find-lost-payer',
    // From the cases: an account has few that it lost, and may have many charges of one payer.
    text: `WITH lost AS MATERIALIZED (
        SELECT id, transaction_id, closed_at, payer_document_index FROM disputes
        WHERE account_id = $1 AND state IN ('lost', 'returned') AND closed_at <= $3)
      SELECT lost.id AS "disputeId", lost.closed_at AS "closedAt"
      FROM lost JOIN transactions x ON x.id = lost.transaction_id
      WHERE lost.payer_document_index = ANY ($2) OR x.customer_document_index = ANY ($2)
      ORDER BY lost.closed_at DESC LIMIT 1`,
    values: [payer.accountId, payer.documentIndexes, payer.before],
  });
  return rows[0] ?? null;
}
