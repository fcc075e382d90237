import { searchInput, searchOutput } from '#contract/transactions/search.ts';
import { toBrl } from '#domain/values/money.ts';
import { findByText } from '#services/transactions/find-by-text.ts';
import { shownCentavos } from '#services/transactions/list-transactions.ts';
import { memberProcedure, router } from '../procedure.ts';

export const searchRouter = router({
  /** What stands behind Ctrl-K besides pages and actions. */
  find: memberProcedure
    .input(searchInput)
    .output(searchOutput)
    .query(async ({ ctx, input }) => {
      const found = await findByText(ctx.deps, ctx.principal.accountId, input.text);
      return {
        data: found.map(({ id, type, status, createdAt, ...about }) => ({
          id,
          type,
          status,
          amount: toBrl(shownCentavos({ type, ...about })),
          title: titleOf(id, about),
          created_at: createdAt.toISOString(),
        })),
      };
    }),
});

/** As the panel's rows have it. */
const titleOf = (
  id: string,
  about: {
    customerName: string | null;
    destination: string | null;
    description: string | null;
    currency: string | null;
  },
): string =>
  about.customerName ??
  about.destination ??
  about.description ??
  [about.currency, `…${id.slice(-6)}`].filter((part) => part !== null).join(' ');
