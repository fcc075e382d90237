import { approveInput, declineInput } from '#contract/withdrawals/approvals.ts';
import { approveOwnWithdrawal, declineOwnWithdrawal } from '#services/withdrawals/decide-approval.ts';
import { memberProcedure, router } from '../procedure.ts';

/** Decisions about withdrawals that wait for a second person. */
export const approvalsRouter = router({
  /** Has the withdrawal sent. */
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
});
