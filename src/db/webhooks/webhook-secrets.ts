import type pg from 'pg';

/**
 * An account's webhook secrets, sealed in the same context. While `until` lies ahead the previous one signs too. After an overlap that was
 * ended early the previous one is gone, and `until` says when.
 */
export type WebhookSecrets = { current: string; previous: string | null; until: Date | null };

/** Null when there is no such account. */
export async function findWebhookSecrets(db: pg.Pool, accountId: string): Promise<WebhookSecrets | null> {
  const { rows } = await db.query<WebhookSecrets>(
    `SELECT webhook_secret AS current, previous_webhook_secret AS previous, previous_webhook_secret_until AS until
     FROM accounts WHERE id = $1`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** Puts a new sealed secret in the place of the current one, which signs beside it `until` then. False while another overlap goes on. */
export async function replaceWebhookSecret(
  db: pg.Pool,
  change: { accountId: string; sealed: string; until: Date; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE accounts SET previous_webhook_secret = webhook_secret, webhook_secret = $2, previous_webhook_secret_until = $3
     WHERE id = $1 AND (previous_webhook_secret_until IS NULL OR previous_webhook_secret_until <= $4)`,
    [change.accountId, change.sealed, change.until, change.now],
  );
  return rowCount === 1;
}

/** Ends an overlap now: the previous secret signs nothing more. False when there is none. */
export async function dropPreviousWebhookSecret(db: pg.Pool, accountId: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE accounts SET previous_webhook_secret = NULL, previous_webhook_secret_until = $2
     WHERE id = $1 AND previous_webhook_secret IS NOT NULL AND previous_webhook_secret_until > $2`,
    [accountId, now],
  );
  return rowCount === 1;
}
