import { cryptoWithdrawalInput } from '#contract/quotes/crypto.ts';
import {
  askedWithdrawalInput,
  askedWithdrawalOutput,
  askPixWithdrawalInput,
} from '#contract/withdrawals/asked-withdrawal.ts';
import type { AskedState } from '#domain/withdrawals/asked-withdrawal.ts';
import { type AskedWithdrawal, getAskedWithdrawal } from '#services/withdrawals/get-asked-withdrawal.ts';
import { requestCryptoWithdrawal } from '#services/withdrawals/request-crypto-withdrawal.ts';
import { requestPixWithdrawal } from '#services/withdrawals/request-pix-withdrawal.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, actingIn, router } from '../procedure.ts';

/** What an assistant is to do, by the state of the withdrawal. */
const MESSAGES: Record<AskedState, string> = {
  waiting_for_confirmation:
    'Nothing is sent before a member of the account has confirmed it in the panel, at confirm_url. Tell them; do not ask for it again.',
  processing: 'A member has confirmed it, and it is being sent. Do not ask for it again.',
  unknown:
    'The provider has not said whether it was paid; it is being asked until that is known. Never ask for it again: it could be paid twice.',
  paid: 'It was paid.',
  failed: 'It was not paid: the amount is back in the balance. failure_code says why.',
};

/**
 * Money out for an assistant: it asks, within the caps of its key, and a member confirms. The SQL
 * statement that holds the money enforces both.
 */
export const assistantRouter = router({
  askPix: accountProcedure
    .meta({ permission: 'mcp:withdraw', audit: 'withdrawal.requested' })
    .input(askPixWithdrawalInput)
    .output(encoded(askedWithdrawalOutput))
    .mutation(async ({ ctx, input }) => {
      const { amount: amountCentavos, ...request } = input;
      const { id } = await requestPixWithdrawal(ctx.deps, actingIn(ctx), {
        ...{ id: ctx.subjectId, amountCentavos },
        ...request,
      });
      return present(await getAskedWithdrawal(ctx.deps, ctx.principal, id));
    }),

  askCrypto: accountProcedure
    .meta({ permission: 'mcp:withdraw', audit: 'withdrawal.requested' })
    .input(cryptoWithdrawalInput)
    .output(encoded(askedWithdrawalOutput))
    .mutation(async ({ ctx, input }) => {
      const { amount: amountCentavos, ...request } = input;
      const { id } = await requestCryptoWithdrawal(ctx.deps, actingIn(ctx), {
        ...{ id: ctx.subjectId, amountCentavos },
        ...request,
      });
      return present(await getAskedWithdrawal(ctx.deps, ctx.principal, id));
    }),

  get: accountProcedure
    .meta({ permission: 'mcp:withdraw' })
    .input(askedWithdrawalInput)
    .output(encoded(askedWithdrawalOutput))
    .query(async ({ ctx, input }) => present(await getAskedWithdrawal(ctx.deps, ctx.principal, input.transactionId))),
});

const present = (withdrawal: AskedWithdrawal) => ({
  success: true as const,
  data: {
    transaction_id: withdrawal.id,
    status: withdrawal.state,
    message: MESSAGES[withdrawal.state],
    amount: withdrawal.amountCentavos,
    amount_fees: withdrawal.feeCentavos,
    confirm_url: withdrawal.confirm?.url ?? null,
    confirm_until: withdrawal.confirm?.until ?? null,
    failure_code: withdrawal.failureCode,
    created_at: withdrawal.createdAt,
    paid_at: withdrawal.paidAt,
  },
});
