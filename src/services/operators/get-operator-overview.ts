import type { Deps } from '../deps.ts';
import { listCases } from '../disputes/manage-disputes.ts';
import { listVerifications } from '../kyc/decide-verification.ts';
import { listRails } from '../rails/switch-rail.ts';
import { listReconciliation } from '../reconciliation/list-reconciliation.ts';
import { getWaitingMoney } from '../reviews/get-waiting-money.ts';
import { getQueueState } from '../tasks/get-queue-state.ts';
import { countUnsettledPayouts } from '../withdrawals/list-unsettled-payouts.ts';

/** What waits for an operator, and the state of the queue, the rails and the reconciliation. */
export async function getOperatorOverview(deps: Deps) {
  const [{ waiting, sweeps }, verifications, disputes, queue, differingDays, rails, payouts] = await Promise.all([
    getWaitingMoney(deps),
    listVerifications(deps, { waiting: true }),
    listCases(deps),
    getQueueState(deps),
    listReconciliation(deps, { accountId: null, isUnexplained: true }),
    listRails(deps),
    countUnsettledPayouts(deps),
  ]);
  return {
    waiting,
    sweeps,
    verifications: verifications.length,
    disputes: disputes.length,
    payouts,
    queue: queue.filter(({ due, scheduled }) => due + scheduled > 0),
    closedRails: rails.flatMap(({ rail, closed }) => (closed ? [{ rail, reason: closed.reason }] : [])),
    differingDays,
  };
}
