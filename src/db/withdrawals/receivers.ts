import type pg from 'pg';

/** Whose a PIX key is, as the provider said of a withdrawal; sealed. */
export type SealedReceiver = { name: string; document: string | null };

/**
 * Keeps what the provider says of a withdrawal's receiver, once: what it said first stays. Moves no
 * money, so it is no part of the ledger's functions.
 */
export async function saveReceiver(db: pg.Pool, id: string, { name, document }: SealedReceiver): Promise<void> {
  await db.query({
    name: 'save-receiver',
    text: `UPDATE transactions SET receiver_name = $2, receiver_document = $3
      WHERE id = $1 AND type = 'pix_out' AND receiver_name IS NULL`,
    values: [id, name, document],
  });
}

export type PaidReceiver = { id: string; receiverName: string; receiverDocument: string | null; paidAt: Date };

/**
 * The account's newest paid withdrawal to one of these keys of which the provider said who received
 * it; the texts sealed. Null where there is none.
 *
 * @param indexes the fingerprints that the key may have been written with
 */
export async function findLastReceiver(
  db: pg.Pool,
  accountId: string,
  indexes: readonly Buffer[],
): Promise<PaidReceiver | null> {
  const { rows } = await db.query<PaidReceiver>({
    name: 'find-last-receiver',
    text: `SELECT id, receiver_name AS "receiverName", receiver_document AS "receiverDocument", paid_at AS "paidAt"
      FROM transactions
      WHERE account_id = $1 AND pix_key_index = ANY ($2) AND type = 'pix_out' AND status = 'paid'
        AND receiver_name IS NOT NULL
      ORDER BY id DESC LIMIT 1`,
    values: [accountId, indexes],
  });
  return rows[0] ?? null;
}
