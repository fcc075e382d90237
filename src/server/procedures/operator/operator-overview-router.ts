import { operatorOverviewOutput } from '#contract/operator/operator-overview-output.ts';
import { amountText, assetOf } from '#domain/reconciliation/reconciled-amounts.ts';
import { getOperatorOverview } from '#services/operators/get-operator-overview.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

export const operatorOverviewRouter = operatorRouterOf({
  get: operatorProcedure.output(encoded(operatorOverviewOutput)).query(async ({ ctx: { deps } }) => {
    const { waiting, sweeps, verifications, disputes, payouts, queue, closedRails, differingDays } =
      await getOperatorOverview(deps);
    return {
      waiting: waiting.map(({ kind, mode, count, centavos, seconds }) => ({
        ...{ kind, mode, count },
        amount: centavos,
        since_seconds: seconds,
      })),
      verifications,
      disputes,
      payouts,
      queue: queue.map(({ kind, due, scheduled, oldestDueSeconds }) => ({
        ...{ kind, due, scheduled },
        oldest_due_seconds: oldestDueSeconds,
      })),
      sweeps,
      differing_days: differingDays.map(({ rail, currency, day, unexplainedAmount, unreadable }) => ({
        ...{ rail, currency, day, asset: assetOf(currency), unreadable },
        difference: amountText(unexplainedAmount, currency),
      })),
      closed_rails: closedRails,
      now: deps.clock(),
    };
  }),
});
