import { findWaitingMoney } from '#db/reviews/waiting-money.ts';
import { findLastSweeps } from '#db/sweeps/sweeps.ts';
import type { Deps } from '../deps.ts';

/** What waits for somebody, and how long ago each PSP's books were read, for the metrics. */
export async function getWaitingMoney({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock().getTime();
  const [waiting, sweeps] = await Promise.all([findWaitingMoney(db.pool), findLastSweeps(db.pool)]);
  const secondsSince = (at: Date) => Math.max(0, (now - at.getTime()) / 1000);
  return {
    waiting: waiting.map((one) => ({ ...one, seconds: one.since && secondsSince(one.since) })),
    sweeps: sweeps.map(({ rail, at }) => ({ rail, seconds: secondsSince(at) })),
  };
}
