import type { Deps } from '#services/deps.ts';
import { sealLedger } from '#services/ledger/seal-ledger.ts';

/**
 * Seldom enough that the entries of a busy account share a seal, and soon enough that a day's head
 * is signed when the day is over.
 */
const EVERY_MS = 10_000;

/**
 * Keeps the chains of the ledger proof up to date; gives the function that ends it and waits for
 * what is under way.
 */
export function startLedgerSealer(deps: Deps): () => Promise<void> {
  let stopping = false;
  let underway: Promise<void> | undefined;
  const seal = () => {
    underway ??= sealLedger(deps, () => stopping)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'Sealing the ledger failed; trying again later.'))
      .finally(() => {
        underway = undefined;
      });
  };
  const timer = setInterval(seal, EVERY_MS);
  return async () => {
    stopping = true;
    clearInterval(timer);
    await underway;
  };
}
