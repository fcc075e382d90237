import type pg from 'pg';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { askDecision, auditColumns, type DecidedBy } from '../connection/ask-decision.ts';

/** An operation of a crypto processor that the service did not ask for. */
export type ForeignOperationRow = {
  id: string;
  rail: string;
  mode: 'live' | 'test';
  /** Whose credentials they are; null: the installation's. */
  accountId: string | null;
  providerId: string;
  kind: 'invoice' | 'payout';
  /** Null where the processor does not say it. */
  currency: string | null;
  /** 10^-8 of a coin. */
  units: bigint | null;
  happenedAt: Date | null;
  reason: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  createdAt: Date;
};

const COLUMNS = `o.id, o.rail, o.mode, o.account_id AS "accountId", o.provider_id AS "providerId", o.kind, o.currency, o.units,
  o.happened_at AS "happenedAt", o.reason, o.decided_by AS "decidedBy", o.decided_at AS "decidedAt", o.created_at AS "createdAt"`;

/** Writes an operation, once. Returns false when it is known already. */
export async function insertForeignOperation(
  db: pg.Pool,
  operation: Omit<ForeignOperationRow, 'reason' | 'decidedBy' | 'decidedAt'>,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'insert-foreign-operation',
    text: `INSERT INTO foreign_operations (id, rail, mode, account_id, provider_id, kind, currency, units, happened_at, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (provider_id, rail) DO NOTHING`,
    values: [
      operation.id,
      operation.rail,
      operation.mode,
      operation.accountId,
      operation.providerId,
      operation.kind,
      operation.currency,
      operation.units,
      operation.happenedAt,
      operation.createdAt,
    ],
  });
  return rowCount === 1;
}

/** Lists those not acknowledged yet, the oldest first; or all of them, the newest first. */
export async function listForeignOperations(
  db: pg.Pool,
  { waiting, limit }: { waiting: boolean; limit: number },
): Promise<ForeignOperationRow[]> {
  const { rows } = waiting
    ? await db.query<ForeignOperationRow>({
        name: 'list-open-foreign-operations',
        text: `SELECT ${COLUMNS} FROM foreign_operations o WHERE o.decided_at IS NULL ORDER BY o.created_at LIMIT $1`,
        values: [limit],
      })
    : await db.query<ForeignOperationRow>({
        name: 'list-all-foreign-operations',
        text: `SELECT ${COLUMNS} FROM foreign_operations o WHERE o.id < $2 ORDER BY o.id DESC LIMIT $1`,
        values: [limit, LAST_UUID],
      });
  return rows;
}

/** Notes that an operator has seen an operation. `decided`: none of this id waits for that. */
export const acknowledgeForeignOperation = (
  db: pg.Pool,
  { id, reason, by, now }: { id: string; reason: string; by: DecidedBy; now: Date },
): Promise<'acknowledged' | 'decided'> =>
  askDecision(db, 'SELECT foreign_operation_acknowledge($1, $2, $3, $4) AS outcome', [
    id,
    reason,
    auditColumns(by),
    now,
  ]);
