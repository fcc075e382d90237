import type pg from 'pg';
import type { TransactionStatus, TransactionType } from '#domain/transactions/transaction-states.ts';
import { firstUuidAt } from '#domain/values/uuid.ts';

/** A transaction as the sandbox's controls need it. */
export type SandboxSubject = {
  id: string;
  type: TransactionType;
  status: TransactionStatus;
  subStatus: string | null;
  amountCentavos: bigint;
  currency: string | null;
  description: string | null;
  customerName: string | null;
  rail: string;
  confirmations: number;
  createdAt: Date;
  expiresAt: Date | null;
};

const COLUMNS = `id, type, status, sub_status AS "subStatus", amount_centavos AS "amountCentavos", currency, description,
  customer_name AS "customerName", rail, confirmations, created_at AS "createdAt", expires_at AS "expiresAt"`;

/** A charge, an invoice or a withdrawal of this account, or null. */
export async function findSandboxSubject(db: pg.Pool, accountId: string, id: string): Promise<SandboxSubject | null> {
  const { rows } = await db.query<SandboxSubject>({
    name: 'find-sandbox-subject',
    text: `SELECT ${COLUMNS} FROM transactions WHERE id = $1 AND account_id = $2 AND type <> 'split_in'`,
    values: [id, accountId],
  });
  return rows[0] ?? null;
}

/**
 * An account's charges and invoices on sandbox rails that wait for their payer, made since then,
 * newest first.
 */
export async function listOpenSubjects(
  db: pg.Pool,
  { accountId, since, limit }: { accountId: string; since: Date; limit: number },
): Promise<SandboxSubject[]> {
  const { rows } = await db.query<SandboxSubject>({
    name: 'list-open-sandbox-subjects',
    text: `SELECT ${COLUMNS} FROM transactions
      WHERE account_id = $1 AND id >= $2 AND status = 'pending' AND type IN ('pix_in', 'crypto_in') AND rail LIKE 'sandbox%'
      ORDER BY id DESC LIMIT $3`,
    values: [accountId, firstUuidAt(since), limit],
  });
  return rows;
}

/**
 * Lets the time of a pending charge or invoice of a sandbox rail run out at `now`; the worker
 * checks it at `checkAt`. False where the transaction is none of these, or has ended.
 */
export async function endTime(
  db: pg.Pool,
  change: { accountId: string; id: string; now: Date; checkAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH ended AS (
        UPDATE transactions SET expires_at = $3
        WHERE id = $1 AND account_id = $2 AND status = 'pending' AND type IN ('pix_in', 'crypto_in')
          AND rail LIKE 'sandbox%' AND expires_at > $3 RETURNING id),
      expedited AS (
        UPDATE tasks t SET due_at = $4 FROM ended
        WHERE t.subject_id = ended.id AND t.kind IN ('sync_charge', 'sync_invoice') AND t.due_at > $4)
      SELECT FROM ended`,
    [change.id, change.accountId, change.now, change.checkAt],
  );
  return rowCount === 1;
}

/** Has the worker ask the provider about a charge now, as it would later by itself. */
export async function expediteCheck(db: pg.Pool, id: string, now: Date): Promise<void> {
  await db.query(
    `UPDATE tasks SET due_at = $2 WHERE subject_id = $1 AND kind IN ('sync_charge', 'sync_invoice') AND due_at > $2`,
    [id, now],
  );
}
