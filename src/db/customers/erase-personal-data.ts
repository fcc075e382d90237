import type pg from 'pg';
import { type AuditEntry, insertAuditOn } from '../audit/audit.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { lockPersonalRows, type PersonalRow } from './personal-data.ts';

/** What only the caller can make: texts sealed for the row that they go into. */
export type Pseudonyms = {
  /** In place of a PIX key of this withdrawal. */
  pixKey(withdrawalId: string): string;
  /** The rows of a batch without those of these withdrawals, by their places (from 1). */
  batch(batch: { id: string; sealed: string }, rows: readonly BatchPlace[]): { sealed: string; rowsIndex: Buffer };
  /** An answer that is kept for an Idempotency-Key, without what it says of the payer. */
  answer(kept: { key: string; body: string }): string;
  /** The body of an event, without what it says of the payer. */
  event(event: { id: string; body: string }): string;
};

export type BatchPlace = { number: number; withdrawalId: string };

type Erasure = {
  accountId: string;
  ids: readonly string[];
  /** The answers about these transactions that are kept expire in this period. */
  answersExpire: { from: Date; to: Date };
  now: Date;
};

/**
 * Erases what identifies a person from those of these transactions that `mayErase` accepts, and
 * from what refers to them; postings, amounts, ids, states and times stay. One commit, with the
 * `audit` of how many; nothing is written when there are none. Returns the ids of the erased ones.
 */
export const erasePersonalData = (
  db: pg.Pool,
  erasure: Erasure,
  by: { mayErase: (row: PersonalRow) => boolean; pseudonyms: Pseudonyms; audit: (count: number) => AuditEntry },
): Promise<string[]> =>
  withTransaction(db, async (client) => {
    const locked = await lockPersonalRows(client, erasure.accountId, erasure.ids, erasure.now);
    const rows = locked.filter(by.mayErase);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return ids;
    await client.query(
      `UPDATE transactions SET description = NULL, reference = NULL, reference_index = NULL, metadata = NULL, customer_name = NULL, customer_email = NULL, customer_phone = NULL,
         customer_document = NULL, customer_document_index = NULL, customer_document_type = NULL, search_tokens = '{}',
         receiver_name = NULL, receiver_document = NULL, pix_key_index = NULL
       WHERE id = ANY ($1)`,
      [ids],
    );
    const withKeys = rows.filter(({ pixKey }) => pixKey !== null).map(({ id }) => id);
    await client.query(
      `UPDATE transactions t SET pix_key = given.pix_key FROM unnest($1::uuid[], $2::text[]) AS given (id, pix_key)
       WHERE t.id = given.id`,
      [withKeys, withKeys.map(by.pseudonyms.pixKey)],
    );
    for (const text of WHAT_REFERS_TO_THEM) await client.query(text, [ids]);
    await eraseBatchRows(client, withKeys, by.pseudonyms);
    await eraseKeptAnswers(client, erasure, ids, by.pseudonyms);
    await eraseEvents(client, ids, by.pseudonyms);
    // What the built-in receiver took is copies of events, few and for trying: all of them go.
    await client.query('DELETE FROM received_webhooks WHERE account_id = $1', [erasure.accountId]);
    await insertAuditOn(client, by.audit(ids.length));
    return ids;
  });

const WHAT_REFERS_TO_THEM: readonly string[] = [
  `UPDATE refunds SET description = NULL, account_id = NULL, reference = NULL, reference_index = NULL, metadata = NULL
   WHERE transaction_id = ANY ($1)`,
  `UPDATE disputes SET payer_document = NULL, payer_document_index = NULL, answer_text = NULL
   WHERE transaction_id = ANY ($1)`,
  'DELETE FROM dispute_files WHERE dispute_id IN (SELECT id FROM disputes WHERE transaction_id = ANY ($1))',
  'UPDATE withdrawal_approvals SET reason = NULL WHERE transaction_id = ANY ($1) AND reason IS NOT NULL',
  // By the payment's own id, which has an index.
  `UPDATE unmatched_payments u SET payer_note = NULL FROM transactions t
   WHERE t.id = ANY ($1) AND u.end_to_end_id = t.end_to_end_id AND u.rail = t.rail AND u.transaction_id = t.id`,
  'UPDATE provider_calls SET request_body = NULL, response_body = NULL WHERE transaction_id = ANY ($1)',
  `UPDATE attempts SET response_body = NULL WHERE response_body IS NOT NULL AND delivery_id IN (
     SELECT d.id FROM events e JOIN deliveries d ON d.event_id = e.id WHERE e.transaction_id = ANY ($1))`,
];

/** Erases the rows of batches from which these withdrawals were made. */
async function eraseBatchRows(client: pg.PoolClient, ids: readonly string[], pseudonyms: Pseudonyms): Promise<void> {
  const { rows: batches } = await client.query<{ id: string; sealed: string }>(
    `SELECT id, sealed FROM payout_batches
     WHERE id IN (SELECT batch_id FROM payout_batch_rows WHERE withdrawal_id = ANY ($1)) ORDER BY id FOR UPDATE`,
    [ids],
  );
  for (const batch of batches) {
    const { rows } = await client.query<BatchPlace>(
      `SELECT number, withdrawal_id AS "withdrawalId" FROM payout_batch_rows
       WHERE batch_id = $1 AND withdrawal_id = ANY ($2) ORDER BY number`,
      [batch.id, ids],
    );
    const { sealed, rowsIndex } = pseudonyms.batch(batch, rows);
    await client.query('UPDATE payout_batches SET sealed = $2, rows_index = $3 WHERE id = $1', [
      batch.id,
      sealed,
      rowsIndex,
    ]);
  }
}

/**
 * Erases rows of a batch from which no withdrawal is made any more. The fingerprint of the batch
 * stays: other rows of the file may have been paid, and by it the file is not paid again. `audit`:
 * in the same commit.
 */
export const eraseUnusedRows = (
  db: pg.Pool,
  { batchId, rows }: { batchId: string; rows: readonly BatchPlace[] },
  { pseudonyms, audit }: { pseudonyms: Pseudonyms; audit: (count: number) => AuditEntry },
): Promise<number> =>
  withTransaction(db, async (client) => {
    const { rows: locked } = await client.query<{ id: string; sealed: string }>(
      'SELECT id, sealed FROM payout_batches WHERE id = $1 FOR UPDATE',
      [batchId],
    );
    for (const batch of locked) {
      const { sealed } = pseudonyms.batch(batch, rows);
      await client.query('UPDATE payout_batches SET sealed = $2 WHERE id = $1', [batch.id, sealed]);
    }
    await insertAuditOn(client, audit(rows.length));
    return rows.length;
  });

async function eraseKeptAnswers(
  client: pg.PoolClient,
  { accountId, answersExpire: { from, to } }: Erasure,
  ids: readonly string[],
  pseudonyms: Pseudonyms,
): Promise<void> {
  const { rows } = await client.query<{ key: string; body: string }>(
    `SELECT key, body FROM idempotency_keys
     WHERE account_id = $1 AND subject_id = ANY ($2) AND expires_at BETWEEN $3 AND $4 AND body IS NOT NULL`,
    [accountId, ids, from, to],
  );
  await client.query(
    `UPDATE idempotency_keys k SET body = given.body FROM unnest($2::text[], $3::text[]) AS given (key, body)
     WHERE k.account_id = $1 AND k.key = given.key`,
    [accountId, rows.map(({ key }) => key), rows.map(pseudonyms.answer)],
  );
}

async function eraseEvents(client: pg.PoolClient, ids: readonly string[], pseudonyms: Pseudonyms): Promise<void> {
  const { rows } = await client.query<{ id: string; body: string }>(
    'SELECT id, body FROM events WHERE transaction_id = ANY ($1)',
    [ids],
  );
  await client.query(
    `UPDATE events e SET body = given.body FROM unnest($1::uuid[], $2::text[]) AS given (id, body) WHERE e.id = given.id`,
    [rows.map(({ id }) => id), rows.map(pseudonyms.event)],
  );
}

/**
 * Deletes the entries of the address book at one of these keys that were removed from it; returns
 * how many. `audit`: in the same commit.
 */
export const eraseRemovedPayees = (
  db: pg.Pool,
  accountId: string,
  pixKeyIndexes: readonly Buffer[],
  audit: (count: number) => AuditEntry,
): Promise<number> =>
  withTransaction(db, async (client) => {
    const { rowCount } = await client.query(
      'DELETE FROM payees WHERE account_id = $1 AND pix_key_index = ANY ($2) AND removed_at IS NOT NULL',
      [accountId, pixKeyIndexes],
    );
    if (rowCount) await insertAuditOn(client, audit(rowCount));
    return rowCount ?? 0;
  });

/**
 * Erases the payer from an account's cases that name one of these documents as the payer's, and
 * whose money last moved in `lastYear` or before: charges with somebody else's document, or none,
 * are not found by the person's own. Returns how many. `audit`: in the same commit.
 */
export const erasePayerOfDisputes = (
  db: pg.Pool,
  person: { accountId: string; documentIndexes: readonly Buffer[]; lastYear: number },
  audit: (count: number) => AuditEntry,
): Promise<number> =>
  withTransaction(db, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE disputes d SET payer_document = NULL, payer_document_index = NULL
       WHERE d.account_id = $1 AND d.payer_document_index = ANY ($2) AND (
         SELECT extract(year FROM max(l.created_at) AT TIME ZONE 'America/Sao_Paulo') FROM ledger_transfers l
         WHERE l.transaction_id = d.transaction_id) <= $3`,
      [person.accountId, person.documentIndexes, person.lastYear],
    );
    if (rowCount) await insertAuditOn(client, audit(rowCount));
    return rowCount ?? 0;
  });
