import type pg from 'pg';
import { type AuditEntry, insertAuditIn, insertAuditOn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';
import { withTransaction } from '../connection/with-transaction.ts';

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
 * Puts a new sealed secret in the place of the current one, which signs beside it `until` then,
 * with the audit in one commit. False while another overlap lasts. In SQL: Prisma can't give one
 * column the value of another.
 */
export async function replaceWebhookSecret(
  db: pg.Pool,
  change: { accountId: string; sealed: string; until: Date; now: Date; audit: AuditEntry },
): Promise<boolean> {
  return withTransaction(db, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE accounts SET previous_webhook_secret = webhook_secret, webhook_secret = $2, previous_webhook_secret_until = $3
     WHERE id = $1 AND (previous_webhook_secret_until IS NULL OR previous_webhook_secret_until <= $4)`,
      [change.accountId, change.sealed, change.until, change.now],
    );
    if (rowCount === 1) await insertAuditOn(client, change.audit);
    return rowCount === 1;
  });
}

/**
 * Ends an overlap now, with the audit in one commit: the previous secret signs nothing more. False
 * when there is none.
 */
export async function dropPreviousWebhookSecret(
  db: Database,
  { accountId, now, audit }: { accountId: string; now: Date; audit: AuditEntry },
): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const { count } = await tx.account.updateMany({
      where: { id: accountId, previousWebhookSecret: { not: null }, previousWebhookSecretUntil: { gt: now } },
      data: { previousWebhookSecret: null, previousWebhookSecretUntil: now },
    });
    if (count === 1) await insertAuditIn(tx, audit);
    return count === 1;
  });
}
