import { findOldestUnsealed } from '#db/ledger/ledger-seals.ts';
import type { Deps } from '../deps.ts';

/** How old the oldest transfer is that is not in the ledger proof yet, in seconds; 0: all are. */
export async function getUnsealedAge({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const oldest = await findOldestUnsealed(db.pool);
  return oldest ? Math.max(0, (clock().getTime() - oldest.getTime()) / 1000) : 0;
}
