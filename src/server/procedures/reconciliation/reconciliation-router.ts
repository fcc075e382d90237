import * as contract from '#contract/reconciliation/reconciliation.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { readDay, readDays } from './read-reconciliation.ts';

/** The days of a PSP's books, for a merchant with credentials of their own. */
export const reconciliationRouter = router({
  list: memberProcedure
    .input(contract.reconciliationListInput)
    .output(encoded(contract.reconciliationListOutput))
    .query(({ ctx: { deps, principal }, input: { cursor: before } }) =>
      readDays(deps, { accountId: principal.accountId, before }),
    ),

  /** One day with what differs of it. */
  get: memberProcedure
    .input(contract.reconciliationDayInput)
    .output(encoded(contract.reconciliationDayOutput))
    .query(({ ctx: { deps, principal }, input }) =>
      readDay(deps, { dayId: input.day_id, accountId: principal.accountId }),
    ),
});
