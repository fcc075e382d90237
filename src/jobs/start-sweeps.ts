import type { Deps } from '#services/deps.ts';
import { planReconciliation } from '#services/reconciliation/plan-reconciliation.ts';
import { planSweeps } from '#services/sweeps/sweep-payments.ts';

/**
 * New credentials of an account are swept this much later at most, and a day that is over is
 * planned long before it is due.
 */
const PLAN_EVERY_MS = 10 * 60_000;

/**
 * Plans the tasks that read every PIX rail's payments and compare each day of them with the ledger;
 * the worker runs them. Returns the function that stops this and waits for what is under way.
 */
export function startSweeps(deps: Deps): () => Promise<void> {
  let underway: Promise<void> = Promise.resolve();
  const plan = () => {
    underway = underway
      .then(() => planSweeps(deps))
      .catch((error: unknown) => deps.log.warn({ err: error }, 'Sweeps could not be planned; trying again later.'))
      // Days are compared although no sweep could be planned.
      .then(() => planReconciliation(deps))
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'The comparison of days could not be planned; trying again later.'),
      );
  };
  const timer = setInterval(plan, PLAN_EVERY_MS);
  plan();
  return () => {
    clearInterval(timer);
    return underway;
  };
}
