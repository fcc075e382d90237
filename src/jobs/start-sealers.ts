import { sealAudit } from '#services/audit/seal-audit.ts';
import type { Deps } from '#services/deps.ts';
import { sealLedger } from '#services/ledger/seal-ledger.ts';

/**
 * Rarely enough that the entries of a busy account share a seal, and often enough that a day's head
 * is signed soon after the day.
 */
const EVERY_MS = 10_000;

/**
 * Keeps the chains of the ledger proof and of the audit up to date. Returns the function that stops
 * this and waits for what is under way.
 */
export function startSealers(deps: Deps): () => Promise<unknown> {
  const stops = [
    repeat((isStopping) => sealAudit(deps, isStopping), deps, 'Sealing the audit failed; trying again later.'),
    repeat((isStopping) => sealLedger(deps, isStopping), deps, 'Sealing the ledger failed; trying again later.'),
  ];
  return () => Promise.all(stops.map((stop) => stop()));
}

function repeat(
  seal: (isStopping: () => boolean) => Promise<unknown>,
  { log }: Pick<Deps, 'log'>,
  failure: string,
): () => Promise<void> {
  let stopping = false;
  let underway: Promise<void> | undefined;
  const run = () => {
    underway ??= seal(() => stopping)
      .then(
        () => {},
        (error: unknown) => log.warn({ err: error }, failure),
      )
      .finally(() => {
        underway = undefined;
      });
  };
  const timer = setInterval(run, EVERY_MS);
  return async () => {
    stopping = true;
    clearInterval(timer);
    await underway;
  };
}
