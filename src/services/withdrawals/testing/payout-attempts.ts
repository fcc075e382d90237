import type pg from 'pg';

/** How often the sandbox PSP has paid each of the account's withdrawals. */
export async function payoutAttempts(db: pg.Pool, accountId: string): Promise<number[]> {
  const { rows } = await db.query<{ attempts: number }>(
    `SELECT p.attempts FROM sandbox.payouts p JOIN transactions t ON replace(t.id::text, '-', '') = p.id_envio
     WHERE t.account_id = $1`,
    [accountId],
  );
  return rows.map(({ attempts }) => attempts);
}
