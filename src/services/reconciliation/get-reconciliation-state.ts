import { findReconciliationState } from '#db/reconciliation/reconciled-days.ts';
import type { Deps } from '../deps.ts';

/**
 * By rail and currency the amount that nothing explains, and how many seconds ago the last compared
 * day ended, for the metrics.
 */
export async function getReconciliationState({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock().getTime();
  return (await findReconciliationState(db.pool)).map(({ checkedUntil, ...rest }) => ({
    ...rest,
    seconds: Math.max(0, (now - checkedUntil.getTime()) / 1000),
  }));
}
