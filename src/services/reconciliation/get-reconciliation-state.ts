import { findReconciliationState } from '#db/reconciliation/reconciled-days.ts';
import { findLastSweeps } from '#db/sweeps/sweeps.ts';
import type { Deps } from '../deps.ts';
import { isStillRead } from '../sweeps/is-still-read.ts';

/**
 * By rail and currency the amount that nothing explains and no operator has acknowledged, and how
 * many seconds ago the last compared day ended, for the metrics; null where no further day is
 * compared.
 */
export async function getReconciliationState({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock();
  const [state, sweeps] = await Promise.all([findReconciliationState(db.pool), findLastSweeps(db.pool)]);
  const ended = new Set(sweeps.filter((sweep) => !isStillRead(sweep, now)).map(({ rail }) => rail));
  return state.map(({ checkedUntil, ...rest }) => ({
    ...rest,
    seconds: ended.has(rest.rail) ? null : Math.max(0, (now.getTime() - checkedUntil.getTime()) / 1000),
  }));
}
