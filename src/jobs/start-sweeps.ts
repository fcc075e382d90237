import type { Deps } from '#services/deps.ts';
import { planReconciliation } from '#services/reconciliation/plan-reconciliation.ts';
import { planSweeps } from '#services/sweeps/sweep-payments.ts';

/**
 * Credentials that an account brings are swept from then on at the latest, and a day that is over
 * is planned long before it is due.
 */
const PLAN_EVERY_MS = 10 * 60_000;

/**
 * Has every PIX rail's payments read, and each day of them compared with the ledger; gives the
 * function that ends it and waits for what is under way. The reading itself is the worker's tasks.
 */
export function startSweeps(deps: Deps): () => Promise<void> {
  let underway: Promise<void> = Promise.resolve();
  const plan = () => {
    underway = underway
      .then(() => planSweeps(deps))
      .then(() => planReconciliation(deps))
      .catch((error: unknown) => deps.log.warn({ err: error }, 'Sweeps could not be planned; trying again later.'));
  };
  const timer = setInterval(plan, PLAN_EVERY_MS);
  plan();
  return () => {
    clearInterval(timer);
    return underway;
  };
}
