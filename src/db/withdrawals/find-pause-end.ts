import type pg from 'pg';

/** Who asks for money to leave: a key, a member, or (both null) the installation itself. */
export type MoneyOutAsker = { keyId: string | null; memberId: string | null };

/**
 * Why no money may leave an account (money_out_block_reason in the migrations). `paused`: see
 * findPauseEnd.
 */
export type MoneyOutBlock = 'suspended' | 'kyc' | 'paused';

/**
 * Until when a member, or the member who made or rotated a key, may send no money; null when they
 * may.
 */
export async function findPauseEnd(db: pg.Pool, by: MoneyOutAsker, now: Date): Promise<Date | null> {
  const { rows } = await db.query<{ until: Date | null }>('SELECT money_out_paused_until($1, $2, $3) AS until', [
    by.keyId,
    by.memberId,
    now,
  ]);
  return rows[0]?.until ?? null;
}
