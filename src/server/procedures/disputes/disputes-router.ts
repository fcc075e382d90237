import {
  disputeAnswerInput,
  disputeAnswerOutput,
  disputeInput,
  disputeListInput,
  disputeListOutput,
  disputeOutput,
} from '#contract/disputes/disputes.ts';
import { answerOwnDispute } from '#services/disputes/answer-own-dispute.ts';
import { getDispute } from '#services/disputes/get-dispute.ts';
import { listOwnDisputes } from '#services/disputes/list-own-disputes.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, confirmMoneyOut, originIn, router } from '../procedure.ts';
import { toDisputeJson, toListedDispute } from './dispute-view.ts';

export const disputesRouter = router({
  list: accountProcedure
    .meta({
      permission: 'transactions:read',
      openapi: {
        method: 'GET',
        path: '/payments/disputes',
        operationId: 'listDisputes',
        tags: ['disputes'],
        protect: true,
      },
      rest: { errors: ['invalid_input'] },
    })
    .input(disputeListInput)
    .output(encoded(disputeListOutput))
    .query(async ({ ctx, input }) => {
      const { disputes, nextCursor } = await listOwnDisputes(ctx.deps, ctx.principal.accountId, {
        states: input.state,
        before: input.cursor,
        limit: input.limit,
      });
      return { success: true as const, data: disputes.map(toListedDispute), next_cursor: nextCursor };
    }),

  get: accountProcedure
    .meta({
      permission: 'transactions:read',
      openapi: {
        method: 'GET',
        path: '/payments/disputes/{disputeId}',
        operationId: 'getDispute',
        tags: ['disputes'],
        protect: true,
      },
      rest: { errors: ['dispute_not_found'] },
    })
    .input(disputeInput)
    .output(encoded(disputeOutput))
    .query(async ({ ctx, input }) => {
      const dispute = await getDispute(ctx.deps, ctx.principal.accountId, input.disputeId);
      return { success: true as const, data: toDisputeJson(dispute) };
    }),

  /**
   * In the panel, to agree asks for a fresh proof, as a refund does: it gives money away. To
   * contest asks for none, so that a member who is paused does not miss the time.
   */
  answer: accountProcedure
    .meta({
      permission: 'refunds:write',
      openapi: {
        method: 'POST',
        path: '/payments/disputes/{disputeId}/answer',
        operationId: 'answerDispute',
        tags: ['disputes'],
        protect: true,
      },
      rest: {
        errors: ['invalid_input', 'dispute_not_found', 'dispute_answered', 'dispute_closed', 'dispute_too_late'],
      },
    })
    .input(disputeAnswerInput)
    .output(encoded(disputeAnswerOutput))
    .mutation(async ({ ctx, input }) => {
      if (input.answer === 'agree') await confirmMoneyOut(ctx);
      const who = { principal: ctx.principal, origin: originIn(ctx) };
      const dispute = await answerOwnDispute(ctx.deps, who, {
        id: input.disputeId,
        answer: input.answer,
        text: input.text,
        resumed: ctx.resumed,
      });
      return { success: true as const, message: 'Resposta registrada com sucesso', data: toDisputeJson(dispute) };
    }),
});
