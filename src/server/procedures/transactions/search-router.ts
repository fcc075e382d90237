import { searchInput, searchOutput } from '#contract/transactions/search.ts';
import { transactionTitle } from '#domain/transactions/transaction-title.ts';
import { findByText } from '#services/transactions/find-by-text.ts';
import { shownCentavos } from '#services/transactions/list-transactions.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

export const searchRouter = router({
  /** What Ctrl-K finds besides pages and actions. */
  find: memberProcedure
    .input(searchInput)
    .output(encoded(searchOutput))
    .query(async ({ ctx, input }) => {
      const found = await findByText(ctx.deps, ctx.principal.accountId, input.text);
      return {
        data: found.map(({ id, type, status, createdAt, ...about }) => ({
          id,
          type,
          status,
          amount: shownCentavos({ type, ...about }),
          title: transactionTitle(id, about),
          created_at: createdAt,
        })),
      };
    }),
});
