import * as contract from '#contract/reconciliation/reconciliation.ts';
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
});
