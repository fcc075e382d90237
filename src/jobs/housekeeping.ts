import { deleteExpiredKeys } from '#db/idempotency.ts';
import type { Deps } from '#services/deps.ts';

/** Nothing waits for it: an expired key is as good as none also while it is there. */
const EVERY_MS = 10 * 60_000;
/** Short statements: nobody else has to wait for a lock. */
const BATCH = 1_000;

/** Deletes what has had its time, every ten minutes; gives the function that ends it and waits for what is under way. */
export function startHousekeeping(deps: Deps): () => Promise<void> {
  let stopping = false;
  let underway: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    underway = underway.then(() => tidy(deps, () => stopping));
  }, EVERY_MS);
  return () => {
    stopping = true;
    clearInterval(timer);
    return underway;
  };
}

/** Deletes idempotency keys whose time is over, batch by batch until none is left. */
export async function tidy(deps: Deps, isStopping: () => boolean = () => false): Promise<void> {
  try {
    while (!isStopping()) if ((await deleteExpiredKeys(deps.db.pool, deps.clock(), BATCH)) < BATCH) return;
  } catch (error) {
    deps.log.warn({ err: error }, 'Housekeeping failed; trying again later.');
  }
}
