import type { z } from 'zod';
import { statementInput, statementOutput } from '#contract/reports/statement.ts';
import { getStatementPage, type StatementEntry } from '#services/reports/get-statement.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

export const statementRouter = router({
  /**
   * The entries of one of the three balances in a period, newest first, with what it was before and
   * after.
   */
  get: memberProcedure
    .input(statementInput)
    .output(encoded(statementOutput))
    .query(async ({ ctx, input }) => {
      const { summary, entries, nextCursor } = await getStatementPage(ctx.deps, ctx.principal.accountId, input);
      return {
        summary: summary && {
          opening: summary.openingCentavos,
          credits: summary.creditCentavos,
          debits: summary.debitCentavos,
          closing: summary.closingCentavos,
          entries: summary.entries,
        },
        entries: entries.map(present),
        next_cursor: nextCursor,
      };
    }),
});

function present(entry: StatementEntry): z.output<typeof statementOutput>['entries'][number] {
  return {
    number: entry.version,
    name: entry.name,
    day: entry.day,
    at: entry.createdAt,
    amount: entry.centavos,
    balance_after: entry.balanceAfterCentavos,
    fee: entry.feeCentavos === 0n ? null : entry.feeCentavos,
    transaction: entry.transactionId
      ? {
          id: entry.transactionId,
          type: entry.isOwn ? entry.transactionType : 'split_in',
          description: entry.description,
          customer_name: entry.customerName,
        }
      : null,
  };
}
