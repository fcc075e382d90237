import type { z } from 'zod';
import { pixChargeInput, pixChargeOutput } from '#contract/charges/pix-charge.ts';
import { type CreatedCharge, createCharge } from '#services/charges/create-charge.ts';
import { paymentUrl, qrCodeUrls } from '#services/charges/payment-url.ts';
import type { Context } from '../context.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, router } from '../procedure.ts';

export const chargesRouter = router({
  create: accountProcedure
    .meta({
      permission: 'charges:write',
      openapi: {
        method: 'POST',
        path: '/payments/transactions',
        operationId: 'createPixCharge',
        tags: ['pix'],
        protect: true,
      },
      rest: {
        errors: [
          'invalid_amount',
          'invalid_input',
          'rail_closed',
          'own_credentials_required',
          'rail_not_configured',
          'below_minimum',
          'above_maximum',
          'reference_taken',
          'charge_not_created',
        ],
        inputError: (fields) => (fields.has('amount') ? 'invalid_amount' : 'invalid_input'),
      },
    })
    .input(pixChargeInput)
    .output(encoded(pixChargeOutput))
    .mutation(async ({ ctx, input }) => {
      const { amount: amountCentavos, ...charge } = input;
      const created = await createCharge(ctx.deps, ctx.principal, { id: ctx.subjectId, amountCentavos, ...charge });
      return present(ctx.deps, input, created);
    }),
});

/**
 * The contract's answer. What the caller sent is echoed as it was sent; what was absent is null.
 * `txid` and `reference_code` have uuid shape in the contract: they are the transaction's id, so
 * that any of the three leads to it.
 */
function present(
  deps: Context['deps'],
  input: z.output<typeof pixChargeInput>,
  charge: CreatedCharge,
): z.output<typeof pixChargeOutput> {
  const qr = qrCodeUrls(deps, charge.id);
  return {
    success: true,
    message: 'Cobrança PIX criada com sucesso',
    data: {
      transaction_id: charge.id,
      amount: input.amount,
      status: 'pending',
      payment_url: paymentUrl(deps, charge.id),
      qr_code_svg_url: qr.svg,
      qr_code_png_url: qr.png,
      payment_data: {
        qr_code: charge.brCode,
        pix_key: null,
        txid: charge.id,
        expiration_date: charge.expiresAt,
        reference_code: charge.id,
      },
      customer: input.sentCustomer,
      split: charge.split && { account_id: charge.split.accountId, amount: charge.split.centavos },
      description: input.description,
      callback_url: input.callbackUrl,
      reference: input.merchantFields.reference,
      metadata: input.merchantFields.metadata,
      created_at: charge.createdAt,
    },
  };
}
