import { operatorConfirmInput, operatorMeOutput } from '#contract/operator/session.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

export const operatorSessionRouter = operatorRouterOf({
  me: operatorProcedure.output(encoded(operatorMeOutput)).query(({ ctx: { operator, deps } }) => ({
    name: operator.name,
    email: operator.email,
    demo: deps.settings.demo,
  })),

  /** Proves who is at the keyboard, for what asks for it within the next minutes. */
  confirm: operatorProcedure
    .meta({ unconfirmed: true })
    .input(operatorConfirmInput)
    .mutation(({ ctx, input }) => ctx.confirm(ctx.operator, input.code)),

  signOut: operatorProcedure.meta({ unconfirmed: true }).mutation(({ ctx }) => ctx.endSession(ctx.operator)),
});
