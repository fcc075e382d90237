import type pg from 'pg';

/** What the built-in receiver took, see domain/webhooks/test-receiver.ts. */

export type ReceivedWebhookRow = { id: string; sealed: string; verified: boolean; receivedAt: Date };

/**
 * Keeps what arrived, and deletes the account's oldest beyond the newest `keep`. Returns false, and
 * keeps nothing, when there is no test account of this id.
 */
export async function insertReceivedWebhook(
  db: pg.Pool,
  received: ReceivedWebhookRow & { accountId: string },
  keep: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'insert-received-webhook',
    text: `WITH gone AS (
        DELETE FROM received_webhooks WHERE id IN (
          SELECT id FROM received_webhooks WHERE account_id = $2 ORDER BY id DESC OFFSET $6))
      INSERT INTO received_webhooks (id, account_id, sealed, verified, received_at)
      SELECT $1, a.id, $3, $4, $5 FROM accounts a WHERE a.id = $2 AND a.mode = 'test'`,
    values: [received.id, received.accountId, received.sealed, received.verified, received.receivedAt, keep - 1],
  });
  return rowCount === 1;
}

/** What arrived for an account since `since`, the newest first. */
export async function listReceivedWebhooks(
  db: pg.Pool,
  { accountId, since, limit }: { accountId: string; since: Date; limit: number },
): Promise<ReceivedWebhookRow[]> {
  const { rows } = await db.query<ReceivedWebhookRow>({
    name: 'list-received-webhooks',
    text: `SELECT id, sealed, verified, received_at AS "receivedAt" FROM received_webhooks
      WHERE account_id = $1 AND received_at >= $2 ORDER BY id DESC LIMIT $3`,
    values: [accountId, since, limit],
  });
  return rows;
}

/** Deletes at most `limit` that arrived before `before`; returns how many. */
export async function deleteReceivedWebhooks(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM received_webhooks
     WHERE id IN (SELECT id FROM received_webhooks WHERE received_at < $1 ORDER BY received_at LIMIT $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}
