import type pg from 'pg';
import type { Fee } from '#domain/fees.ts';
import type { TransactionType } from '#domain/transaction-states.ts';

/** What a valid key stands for. */
export type KeyOwner = {
  keyId: string;
  accountId: string;
  merchantId: string;
  mode: 'live' | 'test';
  /** The account's fees; a type that is absent costs nothing. */
  fees: Partial<Record<TransactionType, Fee>>;
};

type FeeRow = { type: TransactionType; bps: number; fixed: string };

/** Looks a key up by its SHA-256; null for one that is unknown or revoked. Notes the use, to the minute. */
export async function findKeyOwner(db: pg.Pool, hash: Buffer, now: Date): Promise<KeyOwner | null> {
  const { rows } = await db.query<Omit<KeyOwner, 'fees'> & { fees: FeeRow[] | null }>({
    name: 'find-key-owner',
    text: `WITH used AS (
        UPDATE api_keys SET last_used_at = $2 WHERE hash = $1 AND revoked_at IS NULL RETURNING id, account_id)
      SELECT used.id AS "keyId", a.id AS "accountId", a.merchant_id AS "merchantId", a.mode,
        (SELECT json_agg(json_build_object('type', f.type, 'bps', f.bps, 'fixed', f.fixed_centavos::text))
          FROM account_fees f WHERE f.account_id = a.id) AS fees
      FROM used JOIN accounts a ON a.id = used.account_id`,
    values: [hash, now],
  });
  const [row] = rows;
  if (!row) return null;
  const fees = (row.fees ?? []).map((fee) => [fee.type, { bps: fee.bps, fixedCentavos: BigInt(fee.fixed) }]);
  return { ...row, fees: Object.fromEntries(fees) };
}

/** The channel on which every process hears that an account's keys or settings changed; the payload is the account's id. */
export const ACCOUNTS_CHANNEL = 'trilho_accounts';

/** Tells every process to forget what it remembers of an account. */
export async function announceAccountChange(db: pg.Pool, accountId: string): Promise<void> {
  await db.query('SELECT pg_notify($1, $2)', [ACCOUNTS_CHANNEL, accountId]);
}
