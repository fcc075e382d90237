import { searchInput, searchOutput } from '#contract/search.ts';
import { toBrl } from '#domain/money.ts';
import { findByText } from '#services/search.ts';
import { memberProcedure, router } from './procedure.ts';

export const searchRouter = router({
  /** What stands behind Ctrl-K besides pages and actions. */
  find: memberProcedure
    .input(searchInput)
    .output(searchOutput)
    .query(async ({ ctx, input }) => {
      const found = await findByText(ctx.deps, ctx.principal.accountId, input.text);
      return {
        data: found.map(({ id, type, status, amountCentavos, customerName, destination, description, createdAt }) => ({
          id,
          type,
          status,
          amount: toBrl(amountCentavos),
          title: customerName ?? destination ?? description ?? `…${id.slice(-6)}`,
          created_at: createdAt.toISOString(),
        })),
      };
    }),
});
