import { countWaitingCases } from '#db/kyc/kyc-decisions.ts';
import type { Deps } from '../deps.ts';
import { countOpenDisputes } from '../disputes/count-open-disputes.ts';
import { listRails } from '../rails/switch-rail.ts';
import { listReconciliation } from '../reconciliation/list-reconciliation.ts';
import { getWaitingMoney } from '../reviews/get-waiting-money.ts';
import { getQueueState } from '../tasks/get-queue-state.ts';
import { countUnsettledPayouts } from '../withdrawals/list-unsettled-payouts.ts';

/** What waits for an operator, and the state of the queue, the rails and the reconciliation. */
export async function getOperatorOverview(deps: Deps) {
  const [{ waiting, sweeps }, verifications, disputes, queue, differingDays, rails, payouts] = await Promise.all([
    getWaitingMoney(deps),
    countWaitingCases(deps.db),
    countOpenDisputes(deps),
    getQueueState(deps),
    listReconciliation(deps, { accountId: null, isOpen: true }),
    listRails(deps),
    countUnsettledPayouts(deps),
  ]);
  return {
    waiting,
    sweeps,
    verifications,
    disputes: disputes.reduce((sum, { count }) => sum + count, 0),
    payouts,
    queue: queue.filter(({ due, scheduled }) => due + scheduled > 0),
    closedRails: rails.flatMap(({ rail, closed }) => (closed ? [{ rail, reason: closed.reason }] : [])),
    differingDays,
  };
}
