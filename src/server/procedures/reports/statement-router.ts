import { statementInput, statementOutput } from '#contract/reports/statement.ts';
import { getStatementPage } from '#services/reports/get-statement.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentStatement } from './statement-view.ts';

export const statementRouter = router({
  /**
   * The entries of one of the three balances in a period, newest first, with what it was before and
   * after.
   */
  get: memberProcedure
    .input(statementInput)
    .output(encoded(statementOutput))
    .query(async ({ ctx, input }) =>
      presentStatement(await getStatementPage(ctx.deps, ctx.principal.accountId, input)),
    ),
});
