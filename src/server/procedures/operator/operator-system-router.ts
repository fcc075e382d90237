import { marketPriceInput, marketPriceOutput, systemOutput } from '#contract/operator/system.ts';
import { getSystemState, type ProviderState } from '#services/operators/get-system-state.ts';
import { findMarketPrice } from '#services/quotes/find-market-price.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

export const operatorSystemRouter = operatorRouterOf({
  get: operatorProcedure.output(encoded(systemOutput)).query(async ({ ctx: { deps } }) => {
    const { checks, head, unsealedSeconds, providers, volume } = await getSystemState(deps);
    return {
      checks: checks.map(({ checkedAt, firstFinding, ...check }) => ({
        ...check,
        checked_at: checkedAt,
        first_finding: firstFinding,
      })),
      proof: {
        head: head && { day: head.day, hash: head.hash, signed_at: head.signedAt },
        unsealed_seconds: unsealedSeconds,
      },
      providers: providers.map(presentProvider),
      volume,
      now: deps.clock(),
    };
  }),

  /** Asks the markets, which is why it is a query of its own. */
  price: operatorProcedure
    .input(marketPriceInput)
    .output(encoded(marketPriceOutput))
    .query(async ({ ctx, input }) => {
      const { mode, quote, reason } = await findMarketPrice(ctx.deps, input.asset);
      return { mode, price: quote?.price ?? null, at: quote?.at ?? null, sources: quote?.sources ?? [], reason };
    }),
});

const presentProvider = ({ name, kind, calls, sweptAt }: ProviderState) => ({
  name,
  kind,
  calls: calls && {
    count: calls.calls,
    failures: calls.failures,
    last_answer_at: calls.lastAnswerAt,
    last_failure_at: calls.lastFailureAt,
    failed_operation: calls.failedOperation,
    failed_status: calls.failedStatus,
  },
  swept_at: sweptAt,
});
