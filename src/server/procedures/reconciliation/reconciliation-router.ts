import * as contract from '#contract/reconciliation/reconciliation.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { getReconciledDay } from '#services/reconciliation/get-own-reconciliation.ts';
import { listReconciliation } from '#services/reconciliation/list-reconciliation.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentDay, presentItem } from './present-reconciliation.ts';

const DAYS_PER_PAGE = 31;

/** The days of a PSP's books, for a merchant with credentials of their own. */
export const reconciliationRouter = router({
  list: memberProcedure
    .input(contract.reconciliationListInput)
    .output(encoded(contract.reconciliationListOutput))
    .query(async ({ ctx: { deps, principal }, input: { cursor: before } }) => {
      const { accountId } = principal;
      const days = await listReconciliation(deps, { accountId }, { before, limit: DAYS_PER_PAGE + 1 });
      const last = days.length > DAYS_PER_PAGE ? days[DAYS_PER_PAGE - 1] : undefined;
      return {
        days: days.slice(0, DAYS_PER_PAGE).map(presentDay),
        next_cursor: last ? `${last.day} ${last.rail}` : null,
      };
    }),

  /** One day with what differs of it. */
  get: memberProcedure
    .input(contract.reconciliationDayInput)
    .output(encoded(contract.reconciliationDayOutput))
    .query(async ({ ctx: { deps, principal }, input }) => {
      const found = await getReconciledDay(deps, { dayId: input.day_id, accountId: principal.accountId });
      if (!found) throw new DomainError('not_found');
      return { day: presentDay(found.day), items: found.items.map(presentItem) };
    }),
});
