import type { Matrix } from './matrix.ts';

/** Confirms who the member is, so that a rejection has another reason. */
export async function confirmed({ service, attacker }: Pick<Matrix, 'service' | 'attacker'>): Promise<void> {
  const { deps } = service;
  await deps.db.pool.query(
    'UPDATE sessions SET confirmed_at = $2 WHERE member_id = (SELECT id FROM members WHERE email = $1)',
    [attacker.email, deps.clock()],
  );
}
