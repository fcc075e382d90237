import { findWaitingMoney } from '#db/reviews/waiting-money.ts';
import { findLastSweeps } from '#db/sweeps/sweeps.ts';
import type { Deps } from '../deps.ts';
import { isStillRead } from '../sweeps/is-still-read.ts';

/**
 * Money that waits for a decision or is owed, and for how many seconds the oldest waits; how many
 * seconds ago the list of each provider was read that is still read.
 */
export async function getWaitingMoney({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock();
  const [waiting, sweeps] = await Promise.all([findWaitingMoney(db.pool), findLastSweeps(db.pool)]);
  const secondsSince = (at: Date) => Math.max(0, (now.getTime() - at.getTime()) / 1000);
  return {
    waiting: waiting.map((one) => ({ ...one, seconds: one.since && secondsSince(one.since) })),
    sweeps: sweeps
      .filter((sweep) => isStillRead(sweep, now))
      .map(({ rail, at }) => ({ rail, seconds: secondsSince(at) })),
  };
}
