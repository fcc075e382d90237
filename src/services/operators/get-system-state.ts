import { countRailCalls, type RailCalls } from '#db/callbacks/provider-calls.ts';
import { findLedgerChecks } from '#db/ledger/ledger-check-results.ts';
import { findLastHead } from '#db/ledger/ledger-seals.ts';
import { countRequests } from '#db/requests/request-records.ts';
import { findLastSweeps } from '#db/sweeps/sweeps.ts';
import type { Deps } from '../deps.ts';
import { getUnsealedAge } from '../ledger/get-unsealed-age.ts';

/** Requests and provider calls are counted over this time. */
const COUNTED_MS = 24 * 60 * 60_000;
/**
 * On a busier day only the newest of these are counted, which takes some hundred milliseconds. The
 * metrics have all of them.
 */
const COUNTED_MAX = 100_000;

export type ProviderState = {
  name: string;
  kind: 'pix' | 'crypto';
  /** The calls about transactions in the last 24 hours; null: there was none. */
  calls: RailCalls | null;
  /** When its recent payments were last read; null: never, or they are not read. */
  sweptAt: Date | null;
};

/**
 * The state of the installation: the checks of its books, its rails, and the requests of the last
 * 24 hours. `isPart`: only the newest requests were counted.
 */
export async function getSystemState(deps: Deps) {
  const { pool } = deps.db;
  const since = new Date(deps.clock().getTime() - COUNTED_MS);
  const [checks, head, unsealedSeconds, providers, volume] = await Promise.all([
    findLedgerChecks(pool),
    findLastHead(pool),
    getUnsealedAge(deps),
    listProviders(deps, since),
    countRequests(pool, since, COUNTED_MAX),
  ]);
  const counted = volume.reduce((sum, { requests }) => sum + requests, 0);
  return { checks, head, unsealedSeconds, providers, volume, isPart: counted === COUNTED_MAX };
}

async function listProviders(deps: Deps, since: Date): Promise<ProviderState[]> {
  const { pool } = deps.db;
  const [pix, crypto, calls, sweeps] = await Promise.all([
    deps.rails.pixRails(),
    deps.rails.cryptoRails(),
    countRailCalls(pool, since, COUNTED_MAX),
    findLastSweeps(pool),
  ]);
  const rails = [
    ...pix.map(({ name }) => ({ name, kind: 'pix' as const })),
    ...crypto.map(({ name }) => ({ name, kind: 'crypto' as const })),
  ];
  return rails.map((rail) => ({
    ...rail,
    calls: calls.find((one) => one.rail === rail.name) ?? null,
    sweptAt: sweeps.find((one) => one.rail === rail.name)?.at ?? null,
  }));
}
