import { thresholdInput, thresholdKindInput, thresholdOutput } from '#contract/withdrawals/thresholds.ts';
import { approveOwnThreshold, getThreshold, setOwnThreshold } from '#services/withdrawals/manage-threshold.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

/** Above which amounts a withdrawal waits for a second person, or goes to payees only. */
export const thresholdsRouter = router({
  get: memberProcedure
    .input(thresholdKindInput)
    .output(encoded(thresholdOutput))
    .query(async ({ ctx, input }) => {
      const { centavos, proposal } = await getThreshold(ctx.deps, ctx.principal.accountId, input.kind);
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
  set: memberProcedure
    .meta({ confirm: 'recent' })
    .input(thresholdInput)
    .mutation(async ({ ctx, input }) => {
      const who = { member: ctx.member, origin: ctx.panel.origin, accountId: ctx.principal.accountId };
      await setOwnThreshold(ctx.deps, who, { kind: input.kind, centavos: input.amount });
    }),

  approve: memberProcedure
    .meta({ confirm: 'recent' })
    .input(thresholdInput)
    .mutation(async ({ ctx, input }) => {
      const who = { member: ctx.member, origin: ctx.panel.origin, accountId: ctx.principal.accountId };
      await approveOwnThreshold(ctx.deps, who, { kind: input.kind, centavos: input.amount });
    }),
});
