import { countOpenDisputes } from '#db/disputes/disputes.ts';
import { countWaitingCases } from '#db/kyc/kyc-decisions.ts';
import type { Deps } from '../deps.ts';
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
    countOpenDisputes(deps.db.pool),
    getQueueState(deps),
    listReconciliation(deps, { accountId: null, isUnexplained: true }),
    listRails(deps),
    countUnsettledPayouts(deps),
  ]);
  return {
    waiting,
    sweeps,
    verifications,
    disputes,
    payouts,
    queue: queue.filter(({ due, scheduled }) => due + scheduled > 0),
    closedRails: rails.flatMap(({ rail, closed }) => (closed ? [{ rail, reason: closed.reason }] : [])),
    differingDays,
  };
}
