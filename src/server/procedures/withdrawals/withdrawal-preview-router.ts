import {
  lastReceiverInput,
  lastReceiverOutput,
  type WithdrawalErrorCode,
  withdrawalPreviewInput,
  withdrawalPreviewOutput,
} from '#contract/withdrawals/withdrawal-preview.ts';
import { maskProvidedDocument } from '#domain/encryption/masked.ts';
import { ownTime } from '#services/accounts/on-test-clock.ts';
import { pausedUntil } from '#services/sign-in/confirmations.ts';
import { getLastReceiver } from '#services/withdrawals/get-last-receiver.ts';
import { previewWithdrawal, type WithdrawalPreview } from '#services/withdrawals/preview-withdrawal.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentQuote } from '../quotes/present-quote.ts';

export const withdrawalPreviewRouter = router({
  /** What a withdrawal would cost and leave, and its errors; nothing is sent. */
  get: memberProcedure
    .input(withdrawalPreviewInput)
    .output(encoded(withdrawalPreviewOutput))
    .query(async ({ ctx, input }) => {
      const { amount: amountCentavos } = input;
      const preview = await previewWithdrawal(
        ctx.deps,
        ctx.principal.accountId,
        input.kind === 'pix'
          ? { type: 'pix_out', amountCentavos }
          : { type: 'crypto_out', amountCentavos, currency: input.currency },
      );
      return present(preview, pausedUntil(ctx.member, ownTime(ctx.deps)));
    }),
  /** Who received this account's last payment to a key; payments of other accounts are not read. */
  lastReceiver: memberProcedure
    .input(lastReceiverInput)
    .output(encoded(lastReceiverOutput))
    .query(async ({ ctx, input }) => {
      const last = input.pixKey && (await getLastReceiver(ctx.deps, ctx.principal.accountId, input.pixKey));
      if (!last) return { receiver: null };
      const { name, document, paidAt } = last;
      return { receiver: { name, document: document && maskProvidedDocument(document), paid_at: paidAt } };
    }),
});

function present(preview: WithdrawalPreview, paused: Date | null) {
  const { fee, quote } = preview;
  const ofMember: WithdrawalErrorCode[] = paused ? ['withdrawals_paused'] : [];
  return {
    received: preview.receivedCentavos,
    fee: { percent: fee.bps, fixed: fee.fixedCentavos, amount: preview.feeCentavos },
    total: preview.totalCentavos,
    available: preview.availableCentavos,
    at_own_provider: preview.atOwnProviderCentavos,
    remaining: preview.remainingCentavos,
    minimum: preview.minimumCentavos,
    maximum: preview.maximumCentavos,
    limits: preview.limits.map(({ name, limitCentavos, usedCentavos, countsNow, endsAt }) => ({
      name,
      limit: limitCentavos,
      used: usedCentavos,
      left: limitCentavos > usedCentavos ? limitCentavos - usedCentavos : 0n,
      counts_now: countsNow,
      ends_at: endsAt,
    })),
    quote: quote && {
      ...presentQuote(quote),
      crypto_amount: quote.conversion?.units ?? null,
    },
    approval_above: preview.approvalAboveCentavos,
    payees_above: preview.payeesAboveCentavos,
    memo: preview.memo,
    errors: [...ofMember, ...preview.errors],
    paused_until: paused,
  };
}
