import { addPixKeyInput, addWalletInput, payeeInput, payeesOutput } from '#contract/payees/payees.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import { listOwnPayees } from '#services/payees/list-payees.ts';
import { addOwnPayee, endOwnPayeeWait, removeOwnPayee } from '#services/payees/manage-payees.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

/** To whom money goes decides as much as how much. */
const addsPayee = memberProcedure.meta({ confirm: 'recent' });

/** The address book of the account: PIX keys and wallets that its members know. */
export const payeesRouter = router({
  list: memberProcedure.output(encoded(payeesOutput)).query(async ({ ctx }) => ({
    payees: (await listOwnPayees(ctx.deps, ctx.principal.accountId)).map((payee) => ({
      payee_id: payee.id,
      label: payee.label,
      pix_key: payee.pixKey,
      pix_key_type: payee.pixKeyType,
      network: payee.network,
      wallet: payee.wallet,
      memo: payee.memo,
      added_by: payee.addedBy,
      added_at: payee.addedAt,
      usable_from: payee.usableFrom,
      waits: payee.isWaiting,
    })),
  })),

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
