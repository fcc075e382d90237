import { sealTransfers } from '#db/ledger/ledger-seals.ts';
import type { Deps } from '#services/deps.ts';
import { sealLedger } from '#services/ledger/seal-ledger.ts';

/**
 * Seals everything that is committed. The sealer itself gives up while a transaction stays open for
 * long, which may be one of another test, in another database of the same server.
 */
export async function sealFully(deps: Pick<Deps, 'db' | 'clock' | 'secretBox'>): Promise<void> {
  do await sealLedger(deps);
  while ((await sealTransfers(deps.db.pool, deps.clock(), 1)) !== 'done');
}
