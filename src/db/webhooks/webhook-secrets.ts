import type pg from 'pg';
import { type AuditEntry, insertAuditIn, insertAuditOn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';
import { withTransaction } from '../connection/with-transaction.ts';

/**
 * The secrets that sign webhooks, sealed in the same context. While `until` lies ahead the previous
 * one signs too. After an overlap that was ended early the previous one is gone, and `until` says
 * when.
 */
export type WebhookSecrets = {
  current: string;
  previous: string | null;
  until: Date | null;
  /** Whose they are: an account's, or an endpoint's of its own. Sealed for this one. */
  secretOf: SecretOwner;
};

export type SecretOwner = { kind: 'account' | 'endpoint'; id: string };

/**
 * What signs a delivery to endpoint n of account a: the endpoint's secrets where it has its own,
 * else the account's.
 */
export const SIGNING_SECRETS = `coalesce(n.secret, a.webhook_secret) AS current,
        CASE WHEN n.secret IS NULL THEN a.previous_webhook_secret ELSE n.previous_secret END AS previous,
        CASE WHEN n.secret IS NULL THEN a.previous_webhook_secret_until ELSE n.previous_secret_until END AS until,
        CASE WHEN n.secret IS NULL THEN jsonb_build_object('kind', 'account', 'id', a.id)
          ELSE jsonb_build_object('kind', 'endpoint', 'id', n.id) END AS "secretOf"`;

/**
 * What signs a delivery of an account; null for another account's, for one that does not exist, and
 * for one whose endpoint was removed with its secret.
 */
export async function findSecretsOfDelivery(
  db: pg.Pool,
  accountId: string,
  id: string,
): Promise<WebhookSecrets | null> {
  const { rows } = await db.query<WebhookSecrets>({
    name: 'find-secrets-of-delivery',
    text: `SELECT ${SIGNING_SECRETS}
      FROM deliveries d JOIN events e ON e.id = d.event_id JOIN accounts a ON a.id = e.account_id
        LEFT JOIN endpoints n ON n.id = d.endpoint_id
      WHERE d.id = $2 AND e.account_id = $1 AND n.removed_at IS NULL`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** An account's own secrets; null when there is no such account. */
export async function findWebhookSecrets(db: Database, accountId: string): Promise<WebhookSecrets | null> {
  const account = await db.prisma.account.findUnique({
    where: { id: accountId },
    select: { webhookSecret: true, previousWebhookSecret: true, previousWebhookSecretUntil: true },
  });
  if (!account) return null;
  const { webhookSecret, previousWebhookSecret, previousWebhookSecretUntil } = account;
  const secretOf = { kind: 'account' as const, id: accountId };
  return { current: webhookSecret, previous: previousWebhookSecret, until: previousWebhookSecretUntil, secretOf };
}

/**
 * Puts a new sealed secret in the place of the current one, with the audit in one commit. The
 * replaced one signs beside it until `until`. Returns false while another overlap lasts. In SQL:
 * Prisma can't give one column the value of another.
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
