import type pg from 'pg';
import { type DisabledReason, disabledReason } from '#domain/webhooks/disabled-reason.ts';
import { type AuditEntry, insertAuditOn } from '../audit/audit.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { holdWaiting } from './endpoints.ts';
import { isFailedAttempt } from './is-failed-attempt.ts';

/**
 * The URLs of a merchant that are managed over REST. They have no topic: each takes the types of
 * events that it names, and has a signing secret of its own.
 */

export type ApiEndpointRow = {
  id: string;
  url: string;
  description: string | null;
  /** e.g. `pix_in.paid`; empty: all. */
  eventTypes: string[];
  /** Null: events are sent there. */
  disabledAt: Date | null;
  /** Null: it is not disabled. */
  disabledReason: DisabledReason | null;
  /** Until when the secret before the current one signs too. */
  previousSecretUntil: Date | null;
  createdAt: Date;
  /** Since when an event waits there after an attempt that failed, or did when it was disabled. */
  failingSince: Date | null;
  lastDeliveredAt: Date | null;
};

const OWN = 'n.account_id = $1 AND n.topic IS NULL AND n.removed_at IS NULL';

/**
 * The endpoints without a topic that an account has, the oldest first; `id`: only this one. What
 * waits is found by its status: it is little, however long the history.
 */
export async function listApiEndpoints(
  db: pg.Pool,
  accountId: string,
  id: string | null = null,
): Promise<ApiEndpointRow[]> {
  const { rows } = await db.query<ListedRow>({
    name: 'list-api-endpoints',
    text: `SELECT n.id, n.url, n.description, n.event_types AS "eventTypes", n.disabled_at AS "disabledAt",
        n.disabled_by_merchant AS "disabledByMerchant", n.previous_secret_until AS "previousSecretUntil",
        n.created_at AS "createdAt", n.failing_since AS "foundFailingSince",
        coalesce(oldest.failed_at, CASE WHEN n.disabled_at IS NOT NULL THEN n.failing_since END) AS "failingSince", newest.at AS "lastDeliveredAt"
      FROM endpoints n
        LEFT JOIN LATERAL (
          SELECT a.started_at AS failed_at FROM deliveries d JOIN attempts a ON a.delivery_id = d.id
          WHERE d.status = 'pending' AND d.endpoint_id = n.id AND ${isFailedAttempt('a')}
          ORDER BY d.created_at, a.number LIMIT 1) AS oldest ON true
        LEFT JOIN LATERAL (
          SELECT max(d.finished_at) AS at FROM deliveries d WHERE d.status = 'delivered' AND d.endpoint_id = n.id) AS newest ON true
      WHERE ${OWN} AND ($2::uuid IS NULL OR n.id = $2) ORDER BY n.created_at, n.id`,
    values: [accountId, id],
  });
  return rows.map(({ disabledByMerchant, foundFailingSince, ...row }) => ({
    ...row,
    disabledReason: disabledReason({ ...row, disabledByMerchant, failingSince: foundFailingSince }),
  }));
}

type ListedRow = Omit<ApiEndpointRow, 'disabledReason'> & {
  disabledByMerchant: boolean;
  foundFailingSince: Date | null;
};

export type NewApiEndpoint = {
  id: string;
  accountId: string;
  url: string;
  description: string | null;
  eventTypes: readonly string[];
  enabled: boolean;
  /** Sealed. */
  secret: string;
  now: Date;
};

/**
 * Makes an endpoint, with the audit in one commit. `full`: the account has `most`. `exists`: an
 * attempt before this one made it under the same id, and died before it responded; `secret` is the
 * one that it wrote, sealed.
 */
export const insertApiEndpoint = (
  db: pg.Pool,
  endpoint: NewApiEndpoint,
  most: number,
  audit: AuditEntry | null,
): Promise<{ outcome: 'made' | 'exists'; secret: string } | { outcome: 'full' }> =>
  withTransaction(db, async (client) => {
    const { id, accountId, url, description, eventTypes, enabled, secret, now } = endpoint;
    // Of two requests at once one waits here, and then counts the other's.
    await client.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    const { rows: own } = await client.query<{ id: string; secret: string }>(
      `SELECT n.id, n.secret FROM endpoints n WHERE ${OWN}`,
      [accountId],
    );
    const before = own.find((one) => one.id === id);
    if (before) return { outcome: 'exists', secret: before.secret };
    if (own.length >= most) return { outcome: 'full' };
    await client.query(
      `INSERT INTO endpoints (id, account_id, url, description, event_types, secret, created_at, disabled_by_merchant, disabled_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $8::boolean THEN $7::timestamptz END)`,
      [id, accountId, url, description, eventTypes, secret, now, !enabled],
    );
    if (audit) await insertAuditOn(client, audit);
    return { outcome: 'made', secret };
  });

/** What is to be changed; what is left out stays. */
export type ApiEndpointChange = Partial<Pick<NewApiEndpoint, 'url' | 'description' | 'eventTypes' | 'enabled'>>;

type Changed = { url: string; enabled: boolean };

/**
 * Changes an endpoint, with the audit in one commit. Disabling it holds what waits for it; enabling
 * it lets events go there again, also after a 410 or days of failing. Returns what it was before,
 * which `audit` gets too; null when the account has none of this id.
 */
export const changeApiEndpoint = (
  db: pg.Pool,
  { accountId, id, change, now }: { accountId: string; id: string; change: ApiEndpointChange; now: Date },
  audit: (before: Changed) => AuditEntry | null,
): Promise<Changed | null> =>
  withTransaction(db, async (client) => {
    const { rows } = await client.query<Changed>(
      `SELECT n.url, n.disabled_at IS NULL AS enabled FROM endpoints n WHERE ${OWN} AND n.id = $2 FOR NO KEY UPDATE`,
      [accountId, id],
    );
    const [before] = rows;
    if (!before) return null;
    const { url = before.url, description, eventTypes, enabled } = change;
    await client.query(
      `UPDATE endpoints SET url = $2, called_at = CASE WHEN url = $2 THEN called_at END,
         description = CASE WHEN $3::boolean THEN $4 ELSE description END, event_types = coalesce($5::text[], event_types),
         disabled_at = CASE WHEN $6::boolean IS NULL THEN disabled_at WHEN NOT $6 THEN coalesce(disabled_at, $7::timestamptz) END,
         disabled_by_merchant = coalesce(NOT $6::boolean, disabled_by_merchant),
         failing_since = CASE WHEN $6::boolean IS DISTINCT FROM true AND (url = $2 OR disabled_at IS NOT NULL) THEN failing_since END
       WHERE id = $1`,
      [id, url, description !== undefined, description ?? null, eventTypes ?? null, enabled ?? null, now],
    );
    if (enabled === false) await holdWaiting(client, id, now);
    const entry = audit(before);
    if (entry) await insertAuditOn(client, entry);
    return before;
  });

/**
 * Removes an endpoint and its secrets, with the audit and the task that ends what waits for it in
 * one commit. Returns its URL; null when the account has none of this id.
 */
export const removeApiEndpoint = (
  db: pg.Pool,
  { accountId, id, now }: { accountId: string; id: string; now: Date },
  audit: (url: string) => AuditEntry | null,
): Promise<string | null> =>
  withTransaction(db, async (client) => {
    const { rows } = await client.query<{ url: string }>(
      `WITH before AS (SELECT n.id, n.url FROM endpoints n WHERE ${OWN} AND n.id = $2 FOR NO KEY UPDATE),
      removed AS (
        UPDATE endpoints n SET url = '', description = NULL, event_types = '{}', secret = NULL, previous_secret = NULL,
          previous_secret_until = NULL, disabled_by_merchant = false, disabled_at = coalesce(n.disabled_at, $3), removed_at = $3
        FROM before WHERE n.id = before.id RETURNING n.id),
      task AS (INSERT INTO tasks (kind, subject_id, due_at) SELECT 'end_deliveries', id, $3 FROM removed)
      SELECT url FROM before`,
      [accountId, id, now],
    );
    const [before] = rows;
    if (!before) return null;
    const entry = audit(before.url);
    if (entry) await insertAuditOn(client, entry);
    return before.url;
  });

/** Whether an account had this endpoint, and removed it. */
export async function isApiEndpointRemoved(db: pg.Pool, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'SELECT FROM endpoints WHERE id = $2 AND account_id = $1 AND topic IS NULL AND removed_at IS NOT NULL',
    [accountId, id],
  );
  return rowCount === 1;
}

/**
 * Puts a new sealed secret in the place of the current one, with the audit in one commit. `until`:
 * the replaced one signs beside it until then; null: it stops signing at once, as does the one
 * before it. `overlaps`: an earlier rotation's overlap lasts, and nothing was changed. `done`: it
 * lasts until `doneUntil` or longer, so that an attempt before this one made it; `secret` is the
 * one that it wrote, sealed. Null: the account has none of this id.
 */
export const rotateApiEndpointSecret = (
  db: pg.Pool,
  change: { accountId: string; id: string; sealed: string; until: Date | null; doneUntil: Date | null; now: Date },
  audit: AuditEntry | null,
): Promise<{ outcome: 'rotated' | 'done'; secret: string } | { outcome: 'overlaps' } | null> =>
  withTransaction(db, async (client) => {
    const { accountId, id, sealed, until, doneUntil, now } = change;
    const { rows } = await client.query<{ secret: string; until: Date | null }>(
      `SELECT n.secret, n.previous_secret_until AS until FROM endpoints n WHERE ${OWN} AND n.id = $2 FOR NO KEY UPDATE`,
      [accountId, id],
    );
    const [before] = rows;
    if (!before) return null;
    if (doneUntil !== null && before.until !== null && before.until >= doneUntil) {
      return { outcome: 'done', secret: before.secret };
    }
    if (until !== null && before.until !== null && before.until > now) return { outcome: 'overlaps' };
    await client.query(
      `UPDATE endpoints SET secret = $2, previous_secret = CASE WHEN $3::timestamptz IS NOT NULL THEN secret END,
         previous_secret_until = coalesce($3, $4) WHERE id = $1`,
      [id, sealed, until, now],
    );
    if (audit) await insertAuditOn(client, audit);
    return { outcome: 'rotated', secret: sealed };
  });
