import type pg from 'pg';
import type { Database } from '../connection/database.ts';

/**
 * An account's webhook secrets, sealed in the same context. While `until` lies ahead the previous
 * one signs too. After an overlap that was ended early the previous one is gone, and `until` says
 * when.
 */
export type WebhookSecrets = { current: string; previous: string | null; until: Date | null };

/** Null when there is no such account. */
export async function findWebhookSecrets(db: Database, accountId: string): Promise<WebhookSecrets | null> {
  const account = await db.prisma.account.findUnique({
    where: { id: accountId },
    select: { webhookSecret: true, previousWebhookSecret: true, previousWebhookSecretUntil: true },
  });
  if (!account) return null;
  const { webhookSecret, previousWebhookSecret, previousWebhookSecretUntil } = account;
  return { current: webhookSecret, previous: previousWebhookSecret, until: previousWebhookSecretUntil };
}

/**
 * Puts a new sealed secret in the place of the current one, which signs beside it `until` then.
 * False while another overlap lasts. In SQL: Prisma can't give one column the value of another.
 */
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
export async function dropPreviousWebhookSecret(db: Database, accountId: string, now: Date): Promise<boolean> {
  const { count } = await db.prisma.account.updateMany({
    where: { id: accountId, previousWebhookSecret: { not: null }, previousWebhookSecretUntil: { gt: now } },
    data: { previousWebhookSecret: null, previousWebhookSecretUntil: now },
  });
  return count === 1;
}
