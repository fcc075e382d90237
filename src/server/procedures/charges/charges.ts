import {
  type PixChargeInput,
  type PixChargeOutput,
  pixChargeInput,
  pixChargeOutput,
} from '#contract/charges/pix-charge.ts';
import { parseEmail } from '#domain/values/contact.ts';
import { parseBrl, readBrl } from '#domain/values/money.ts';
import { type CreateChargeInput, type CreatedCharge, createCharge } from '#services/charges/create-charge.ts';
import { accountProcedure, router } from '../procedure.ts';
import { customerOf } from './customer-input.ts';

export const chargesRouter = router({
  create: accountProcedure
    .meta({
      permission: 'charges:write',
      openapi: {
        method: 'POST',
        path: '/payments/transactions',
        operationId: 'createPixCharge',
        summary: 'Criar cobrança PIX',
        description: 'Cria uma cobrança PIX e devolve o código copia e cola.',
        tags: ['PIX'],
        protect: true,
      },
      rest: {
        errors: [
          'invalid_amount',
          'invalid_input',
          'rail_not_configured',
          'below_minimum',
          'above_maximum',
          'charge_not_created',
        ],
        inputError: (fields) => (fields.has('amount') ? 'invalid_amount' : 'invalid_input'),
      },
    })
    .input(pixChargeInput)
    .output(pixChargeOutput)
    .mutation(async ({ ctx, input }) =>
      present(input, await createCharge(ctx.deps, ctx.principal, fromWire(ctx.subjectId, input))),
    ),
});

/** What the contract's schema has checked, in the domain's terms. */
function fromWire(id: string, input: PixChargeInput): CreateChargeInput {
  const splitCentavos = parseBrl(input.splitAmount);
  return {
    id,
    amountCentavos: readBrl(input.amount) ?? 0n,
    customer: customerOf(input),
    description: input.description ?? null,
    callbackUrl: input.callbackUrl ?? null,
    split:
      splitCentavos === null
        ? null
        : {
            receiverAccountId: input.splitReceiverUserId?.toLowerCase() ?? null,
            receiverEmail: typeof input.splitReceiverEmail === 'string' ? parseEmail(input.splitReceiverEmail) : null,
            centavos: splitCentavos,
          },
  };
}

/**
 * The contract's answer. What the caller sent is echoed as it was sent; what was absent is null. `txid` and `reference_code`
 * have uuid shape in the contract: they are the transaction's id, so that any of the three leads to it.
 */
function present(input: PixChargeInput, charge: CreatedCharge): PixChargeOutput {
  return {
    success: true,
    message: 'Cobrança PIX criada com sucesso',
    data: {
      transaction_id: charge.id,
      amount: input.amount,
      status: 'pending',
      payment_data: {
        qr_code: charge.brCode,
        pix_key: null,
        txid: charge.id,
        expiration_date: charge.expiresAt.toISOString(),
        reference_code: charge.id,
      },
      customer: {
        name: input.customerName ?? null,
        email: input.customerEmail ?? null,
        document: input.customerDocument ?? null,
        document_type: input.customerDocumentType ?? null,
        phone: input.customerPhone ?? null,
      },
      description: input.description ?? null,
      callback_url: input.callbackUrl ?? null,
      created_at: charge.createdAt.toISOString(),
    },
  };
}
