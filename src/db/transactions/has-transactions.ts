import type pg from 'pg';

/** Whether this account ever had a transaction. */
export async function hasTransactions(db: pg.Pool, accountId: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    'SELECT EXISTS (SELECT FROM transactions WHERE account_id = $1) AS has',
    [accountId],
  );
  return rows[0]?.has ?? false;
}
