import type pg from 'pg';

/** Has every withdrawal and batch of an account wait for a second person. */
export async function awaitApprovalOfAll(db: pg.Pool, { id }: { id: string }): Promise<void> {
  await db.query(`INSERT INTO withdrawal_thresholds (account_id, kind, centavos) VALUES ($1, 'approval', 0)`, [id]);
}
