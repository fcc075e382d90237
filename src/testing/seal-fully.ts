import { sealTransfers } from '#db/ledger/ledger-seals.ts';
import type { Deps } from '#services/deps.ts';
import { sealLedger } from '#services/ledger/seal-ledger.ts';

/**
 * Seals everything that is committed. The sealer itself comes back later when something is under
 * way for long, which may be of another database of the same server: that of another test.
 */
export async function sealFully(deps: Pick<Deps, 'db' | 'clock' | 'secretBox'>): Promise<void> {
  do await sealLedger(deps);
  while ((await sealTransfers(deps.db.pool, deps.clock(), 1)) !== 'done');
}
