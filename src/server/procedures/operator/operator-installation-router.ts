import {
  closeRailInput,
  installationOutput,
  openRailInput,
  signUpPolicyInput,
} from '#contract/operator/installation.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { getSignUpPolicy, setSignUpPolicy } from '#services/members/sign-up-policy.ts';
import { listRails, switchRail } from '#services/rails/switch-rail.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

/** What holds for every account: which rails are on, and who may open accounts. */
export const operatorInstallationRouter = operatorRouterOf({
  get: operatorProcedure.output(encoded(installationOutput)).query(async ({ ctx: { deps } }) => ({
    rails: (await listRails(deps)).map(({ rail, closed }) => ({
      rail,
      closed: closed && { reason: closed.reason, by: closed.closedBy, at: closed.closedAt },
    })),
    sign_up: await getSignUpPolicy(deps),
  })),

  /** Turns a rail off: new requests over it are rejected, earlier ones continue. */
  closeRail: operatorProcedure
    .input(closeRailInput)
    .mutation(async ({ ctx, input }) => demandChange(await switchRail(ctx.acting, input))),

  openRail: operatorProcedure
    .input(openRailInput)
    .mutation(async ({ ctx, input }) => demandChange(await switchRail(ctx.acting, { ...input, reason: null }))),

  setSignUp: operatorProcedure
    .input(signUpPolicyInput)
    .mutation(({ ctx, input }) => setSignUpPolicy(ctx.acting, input.sign_up)),
});

/** False: it was so before. */
function demandChange(changed: boolean): void {
  if (!changed) throw new DomainError('invalid_state');
}
