import { disputeCaseInput, disputeCaseOutput } from '#contract/disputes/dispute-case.ts';
import { getDisputeCase } from '#services/disputes/get-dispute-case.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentDetail } from '../transactions/present-detail.ts';
import { toDisputeJson } from './dispute-view.ts';

export const disputeCaseRouter = router({
  /** A case with its payment, for its page and for the printed evidence. */
  get: memberProcedure
    .input(disputeCaseInput)
    .output(encoded(disputeCaseOutput))
    .query(async ({ ctx, input }) => {
      const found = await getDisputeCase(ctx.deps, ctx.principal.accountId, input.dispute_id);
      const { transaction, fee, timeline, deliveries } = presentDetail(found.payment);
      return {
        dispute: toDisputeJson(found.dispute),
        answerable: found.isAnswerable,
        payment: { transaction, fee, timeline, deliveries },
      };
    }),
});
