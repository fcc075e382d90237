import { approveInput, declineInput, thresholdInput, thresholdOutput } from '#contract/withdrawals/approvals.ts';
import { approveOwnWithdrawal, declineOwnWithdrawal } from '#services/withdrawals/decide-approval.ts';
import {
  approveApprovalThreshold,
  getApprovalThreshold,
  setApprovalThreshold,
} from '#services/withdrawals/manage-approval-threshold.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

/** Of withdrawals that wait for a second person. */
export const approvalsRouter = router({
  /** Has it sent. */
  approve: memberProcedure
    .meta({ confirm: 'each' })
    .input(approveInput)
    .mutation(async ({ ctx, input }) => {
      const who = { member: ctx.member, origin: ctx.panel.origin, principal: ctx.principal };
      await approveOwnWithdrawal(ctx.deps, who, input.transaction_id);
    }),

  /** Gives the money back. It asks for no confirmation: no money leaves. */
  decline: memberProcedure.input(declineInput).mutation(async ({ ctx, input }) => {
    const who = { member: ctx.member, origin: ctx.panel.origin, principal: ctx.principal };
    await declineOwnWithdrawal(ctx.deps, who, { id: input.transaction_id, reason: input.reason });
  }),

  /** Above which amount withdrawals wait. */
  threshold: memberProcedure.output(encoded(thresholdOutput)).query(async ({ ctx }) => {
    const { centavos, proposal } = await getApprovalThreshold(ctx.deps, ctx.principal.accountId);
    return {
      amount: centavos,
      proposal: proposal && {
        amount: proposal.centavos,
        applies_from: proposal.appliesFrom,
        by: proposal.by,
        own: proposal.byId === ctx.member.memberId,
        at: proposal.at,
      },
    };
  }),

  /** A lower one applies at once, a higher one is proposed. */
  setThreshold: memberProcedure
    .meta({ confirm: 'recent' })
    .input(thresholdInput)
    .mutation(async ({ ctx, input }) => {
      const who = { member: ctx.member, origin: ctx.panel.origin, accountId: ctx.principal.accountId };
      await setApprovalThreshold(ctx.deps, who, input.amount);
    }),

  approveThreshold: memberProcedure
    .meta({ confirm: 'recent' })
    .input(thresholdInput)
    .mutation(async ({ ctx, input }) => {
      const who = { member: ctx.member, origin: ctx.panel.origin, accountId: ctx.principal.accountId };
      await approveApprovalThreshold(ctx.deps, who, input.amount);
    }),
});
