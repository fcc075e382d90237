import type pg from 'pg';
import { LAST_UUID } from '#domain/values/uuid.ts';

/**
 * By what a person's data is found: the charges and invoices that bear their document and the PIX
 * withdrawals to a key that is this document; else the withdrawals to another key of theirs; else
 * one transaction.
 */
export type PersonKey = {
  accountId: string;
  /** The fingerprints of the document as a payer's. */
  documentIndexes: readonly Buffer[];
  /** The fingerprints of the document, or of another key, as a PIX key. */
  pixKeyIndexes: readonly Buffer[];
  /** The transaction itself, where it has neither; else null. */
  transactionId: string | null;
};

/** Whether transaction `t` still says who somebody is. */
export const IDENTIFIES = `(t.customer_document_index IS NOT NULL OR t.pix_key_index IS NOT NULL
    OR t.customer_name IS NOT NULL OR t.customer_email IS NOT NULL OR t.customer_phone IS NOT NULL
    OR t.receiver_name IS NOT NULL OR t.description IS NOT NULL OR t.reference IS NOT NULL OR t.metadata IS NOT NULL)`;

/**
 * The year (of São Paulo) in which the money of transaction `t` last moved; null where none ever
 * has. A withdrawal that may still be sent counts as of `now`.
 */
const lastYear = (now: string): string =>
  `extract(year FROM coalesce((SELECT max(l.created_at) FROM ledger_transfers l WHERE l.transaction_id = t.id),
    CASE WHEN t.type = 'pix_out' AND t.status NOT IN ('failed', 'cancelled') THEN ${now}::timestamptz END)
    AT TIME ZONE 'America/Sao_Paulo')::integer AS "lastYear"`;

/**
 * The person's transactions older than `before`: $1 account, $2 and $3 fingerprints; `id`: the one
 * transaction.
 */
const idsOf = (before: string, limit: string, id: string): string =>
  `SELECT t.id FROM transactions t WHERE t.account_id = $1 AND t.customer_document_index = ANY ($2) AND t.id < ${before}
    UNION ALL
    SELECT t.id FROM transactions t
    WHERE t.account_id = $1 AND t.type = 'pix_out' AND t.pix_key_index = ANY ($3) AND t.id < ${before}
    UNION ALL
    SELECT t.id FROM transactions t WHERE t.id = ${id}::uuid AND t.account_id = $1 AND t.id < ${before} AND ${IDENTIFIES}
    ORDER BY id DESC LIMIT ${limit}`;

/**
 * Counts a person's transactions by the year in which their money last moved; null: it never did.
 */
export async function countByLastYear(
  db: pg.Pool,
  { accountId, documentIndexes, pixKeyIndexes, transactionId }: PersonKey,
  now: Date,
): Promise<{ lastYear: number | null; count: number }[]> {
  const { rows } = await db.query<{ lastYear: number | null; count: number }>({
    name: 'count-by-last-year',
    text: `SELECT "lastYear", count(*)::integer AS count FROM (
        SELECT ${lastYear('$4')} FROM (${idsOf(`'${LAST_UUID}'`, 'ALL', '$5')}) AS own JOIN transactions t ON t.id = own.id) AS years
      GROUP BY 1 ORDER BY 1 NULLS FIRST`,
    values: [accountId, documentIndexes, pixKeyIndexes, now, transactionId],
  });
  return rows;
}

export type PersonalRow = { id: string; lastYear: number | null };

/** A page of a person's transactions, newest first, older than `before`. */
export async function listPersonalRows(
  db: pg.Pool,
  { accountId, documentIndexes, pixKeyIndexes, transactionId }: PersonKey,
  { before, limit, now }: { before: string | null; limit: number; now: Date },
): Promise<PersonalRow[]> {
  const { rows } = await db.query<PersonalRow>({
    name: 'list-personal-rows',
    text: `SELECT t.id, ${lastYear('$6')} FROM (${idsOf('$4', '$5', '$7')}) AS own JOIN transactions t ON t.id = own.id
      ORDER BY t.id DESC`,
    values: [accountId, documentIndexes, pixKeyIndexes, before ?? LAST_UUID, limit, now, transactionId],
  });
  return rows;
}

/**
 * Locks transactions of an account and reads them as they are then. Returns those that still
 * identify a person.
 */
export async function lockPersonalRows(
  client: pg.PoolClient,
  accountId: string,
  ids: readonly string[],
  now: Date,
): Promise<(PersonalRow & { pixKey: string | null })[]> {
  await client.query('SELECT id FROM transactions WHERE id = ANY ($1) AND account_id = $2 ORDER BY id FOR UPDATE', [
    ids,
    accountId,
  ]);
  // A statement of its own, so that it sees what was posted while the locks were waited for.
  const { rows } = await client.query<PersonalRow & { pixKey: string | null }>(
    `SELECT t.id, t.pix_key AS "pixKey", ${lastYear('$3')} FROM transactions t
     WHERE t.id = ANY ($1) AND t.account_id = $2 AND ${IDENTIFIES}
     ORDER BY t.id`,
    [ids, accountId, now],
  );
  return rows;
}

/** A batch with rows from which no withdrawal was made. */
export type UnusedRows = {
  batchId: string;
  madeAt: Date;
  /** All rows of the batch, sealed. */
  sealed: string;
  /**
   * Those rows, by their places (from 1). `isOver`: no withdrawal will be made of it either,
   * because it was rejected, or its batch had ended by `endedBefore`.
   */
  rows: { number: number; withdrawalId: string; failure: string | null; isOver: boolean }[];
};

/**
 * A page of an account's batches that have such rows, the oldest first, after the batch `after`.
 */
export async function listUnusedRows(
  db: pg.Pool,
  accountId: string,
  { after, limit, endedBefore }: { after: string; limit: number; endedBefore: Date },
): Promise<UnusedRows[]> {
  const { rows } = await db.query<UnusedRows>({
    name: 'list-unused-rows',
    text: `SELECT b.id AS "batchId", b.made_at AS "madeAt", b.sealed, unused.rows
      FROM payout_batches b CROSS JOIN LATERAL (
        SELECT json_agg(json_build_object('number', r.number, 'withdrawalId', r.withdrawal_id, 'failure', r.failure,
          'isOver', r.failure IS NOT NULL
            OR b.status <> 'running' AND coalesce(b.decided_at, b.decide_until, b.made_at) <= $4) ORDER BY r.number) AS rows
        FROM payout_batch_rows r
        WHERE r.batch_id = b.id AND NOT EXISTS (SELECT FROM transactions t WHERE t.id = r.withdrawal_id)) AS unused
      WHERE b.account_id = $1 AND b.id > $2 AND unused.rows IS NOT NULL ORDER BY b.id LIMIT $3`,
    values: [accountId, after, limit, endedBefore],
  });
  return rows;
}
