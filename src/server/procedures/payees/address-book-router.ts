import { addPixKeyInput, addWalletInput, payeeInput } from '#contract/payees/payees.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import { addOwnPayee, endOwnPayeeWait, removeOwnPayee } from '#services/payees/manage-payees.ts';
import { memberProcedure, router } from '../procedure.ts';

/** Who receives the money matters as much as how much it is. */
const addsPayee = memberProcedure.meta({ confirm: 'recent' });

/** What changes the payees of the account: members only, for adding asks for a second factor. */
export const addressBookRouter = router({
  addPixKey: addsPayee.input(addPixKeyInput).mutation(async ({ ctx, input }) => {
    await addOwnPayee(ctx.deps, whoIn(ctx), { kind: 'pix', ...input });
  }),
  addWallet: addsPayee.input(addWalletInput).mutation(async ({ ctx, input }) => {
    await addOwnPayee(ctx.deps, whoIn(ctx), { kind: 'wallet', ...input });
  }),

  /** It asks for no confirmation: less money leaves. */
  remove: memberProcedure
    .meta({ whileSuspended: true })
    .input(payeeInput)
    .mutation(({ ctx, input }) => removeOwnPayee(ctx.deps, whoIn(ctx), input.payee_id)),

  /** Of a test account only. */
  endWait: memberProcedure
    .input(payeeInput)
    .mutation(({ ctx, input }) => endOwnPayeeWait(ctx.deps, whoIn(ctx), input.payee_id)),
});

const whoIn = ({ principal, member, panel }: { principal: Principal; member: Member; panel: { origin: Origin } }) => ({
  accountId: principal.accountId,
  mode: principal.mode,
  member,
  origin: panel.origin,
});
