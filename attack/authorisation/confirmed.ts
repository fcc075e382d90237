import type { Matrix } from './matrix.ts';

/** The member has just proved who they are, so that what rejects is not that. */
export async function confirmed({ service, attacker }: Pick<Matrix, 'service' | 'attacker'>): Promise<void> {
  const { deps } = service;
  await deps.db.pool.query(
    'UPDATE sessions SET confirmed_at = $2 WHERE member_id = (SELECT id FROM members WHERE email = $1)',
    [attacker.email, deps.clock()],
  );
}
