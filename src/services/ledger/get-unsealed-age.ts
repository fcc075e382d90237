import { findOldestUnsealed } from '#db/ledger/ledger-seals.ts';
import type { Deps } from '../deps.ts';

/**
 * Returns the age, in seconds, of the oldest transfer that is not in the ledger proof yet; 0 when
 * all are in it.
 */
export async function getUnsealedAge({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const oldest = await findOldestUnsealed(db.pool);
  return oldest ? Math.max(0, (clock().getTime() - oldest.getTime()) / 1000) : 0;
}
