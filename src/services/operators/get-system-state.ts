import { findRailCalls, type RailCalls } from '#db/callbacks/provider-calls.ts';
import { findLedgerChecks } from '#db/ledger/ledger-check-results.ts';
import { findLastHead } from '#db/ledger/ledger-seals.ts';
import { findRequestVolume } from '#db/requests/request-records.ts';
import { findLastSweeps } from '#db/sweeps/sweeps.ts';
import type { Deps } from '../deps.ts';
import { getUnsealedAge } from '../ledger/get-unsealed-age.ts';

/** Requests and calls to providers are shown of the hour that runs and of this many before it. */
const HOURS_BEFORE = 23;
const HOUR_MS = 60 * 60_000;

export type ProviderState = {
  name: string;
  kind: 'pix' | 'crypto';
  /** The calls about transactions in these hours; null: there was none. */
  calls: RailCalls | null;
  /** When its recent payments were last read; null: never, or they are not read. */
  sweptAt: Date | null;
};

/** The state of the installation: the checks of its books, its rails, and a day of requests. */
export async function getSystemState(deps: Deps) {
  const { pool } = deps.db;
  const since = new Date(deps.clock().getTime() - HOURS_BEFORE * HOUR_MS);
  const [checks, head, unsealedSeconds, providers, volume] = await Promise.all([
    findLedgerChecks(pool),
    findLastHead(pool),
    getUnsealedAge(deps),
    listProviders(deps, since),
    findRequestVolume(pool, since),
  ]);
  return { checks, head, unsealedSeconds, providers, volume };
}

async function listProviders(deps: Deps, since: Date): Promise<ProviderState[]> {
  const { pool } = deps.db;
  const [pix, crypto, calls, sweeps] = await Promise.all([
    deps.rails.pixRails(),
    deps.rails.cryptoRails(),
    findRailCalls(pool, since),
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
