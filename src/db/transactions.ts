import type pg from 'pg';
import type { TransactionType } from '#domain/transaction-states.ts';

export type TransactionRow = {
  id: string;
  type: TransactionType;
  status: string;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  endToEndId: string | null;
  createdAt: Date;
  paidAt: Date | null;
};

/** A transaction of this account and type, or null: another account's is as absent as one that never was. */
export async function findTransaction(
  db: pg.Pool,
  accountId: string,
  id: string,
  type: TransactionType,
): Promise<TransactionRow | null> {
  const { rows } = await db.query<TransactionRow>({
    name: 'find-transaction',
    text: `SELECT id, type, status, amount_centavos AS "amountCentavos", fee_centavos AS "feeCentavos",
        net_centavos AS "netCentavos", end_to_end_id AS "endToEndId", created_at AS "createdAt", paid_at AS "paidAt"
      FROM transactions WHERE id = $1 AND account_id = $2 AND type = $3::transaction_type`,
    values: [id, accountId, type],
  });
  return rows[0] ?? null;
}
