import * as contract from '#contract/reconciliation/reconciliation.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { acknowledgeDifference } from '#services/reconciliation/acknowledge-difference.ts';
import { getReconciledDay } from '#services/reconciliation/get-own-reconciliation.ts';
import { encoded } from '../encoded.ts';
import { readDay, readDays } from '../reconciliation/read-reconciliation.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

/** The days of every PSP's books. */
export const operatorReconciliationRouter = operatorRouterOf({
  list: operatorProcedure
    .input(contract.reconciliationListInput)
    .output(encoded(contract.reconciliationListOutput))
    .query(({ ctx: { deps }, input: { cursor: before } }) => readDays(deps, { accountId: null, before })),

  get: operatorProcedure
    .input(contract.reconciliationDayInput)
    .output(encoded(contract.reconciliationDayOutput))
    .query(({ ctx: { deps }, input }) => readDay(deps, { dayId: input.day_id, accountId: null })),

  /** Notes that an operator knows what differs of a day. Errors: not_found, invalid_state. */
  acknowledge: operatorProcedure.input(contract.acknowledgeInput).mutation(async ({ ctx, input }) => {
    const { day_id: dayId, differences, reason } = input;
    const found = await getReconciledDay(ctx.deps, { dayId, accountId: null });
    if (!found) throw new DomainError('not_found');
    // The day was compared again since it was shown, and differs by something else.
    if (!(await acknowledgeDifference(ctx.acting, { day: found.day, differences, reason })))
      throw new DomainError('invalid_state');
  }),
});
