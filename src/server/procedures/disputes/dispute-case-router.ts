import { disputeCaseInput, disputeCaseOutput, disputeFileInput } from '#contract/disputes/dispute-case.ts';
import { getDisputeCase } from '#services/disputes/get-dispute-case.ts';
import { removeDisputeFile } from '#services/disputes/manage-dispute-files.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentDetail } from '../transactions/present-detail.ts';
import { presentDisputeFile, presentProof, toDisputeJson } from './dispute-view.ts';

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
        files: found.files.map(presentDisputeFile),
        proof: found.proof && presentProof(found.proof),
        answerable: found.isAnswerable,
        payment: { transaction, fee, timeline, deliveries },
      };
    }),

  /** As long as the case waits for its answer. */
  removeFile: memberProcedure.input(disputeFileInput).mutation(async ({ ctx, input }) => {
    const who = { member: ctx.member, origin: ctx.panel.origin, accountId: ctx.principal.accountId };
    await removeDisputeFile(ctx.deps, who, { disputeId: input.dispute_id, id: input.file_id });
  }),
});
