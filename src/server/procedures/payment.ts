import { type PaymentPageStatus, paymentPageInput, paymentPageOutput } from '#contract/payment-page.ts';
import { toBrl } from '#domain/money.ts';
import { getPaymentPage } from '#services/get-payment-page.ts';
import { publicProcedure, router } from './procedure.ts';

export const paymentRouter = router({
  /** What the payment page shows: whoever has the link may ask. */
  get: publicProcedure
    .input(paymentPageInput)
    .output(paymentPageOutput)
    .query(async ({ ctx, input }) => {
      const page = await getPaymentPage(ctx.deps, input.transactionId);
      const status: PaymentPageStatus = page.status === 'refunded' ? 'paid' : page.status;
      return {
        transaction_id: page.id,
        status,
        amount: toBrl(page.amountCentavos),
        merchant_name: page.merchantName,
        description: page.description,
        br_code: page.brCode,
        created_at: page.createdAt.toISOString(),
        expires_at: page.expiresAt.toISOString(),
        paid_at: page.paidAt?.toISOString() ?? null,
        livemode: page.livemode,
        server_time: ctx.deps.clock().toISOString(),
      };
    }),
});
