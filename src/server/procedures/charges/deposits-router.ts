import { cryptoDepositInput, cryptoDepositOutput } from '#contract/quotes/crypto.ts';
import { qrCodeUrls } from '#services/charges/payment-url.ts';
import { createInvoice } from '#services/invoices/create-invoice.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, router } from '../procedure.ts';

export const depositsRouter = router({
  crypto: accountProcedure
    .meta({
      permission: 'charges:write',
      openapi: {
        method: 'POST',
        path: '/payments/deposits/crypto',
        operationId: 'createCryptoDeposit',
        tags: ['crypto'],
        protect: true,
      },
      rest: {
        errors: [
          'invalid_amount',
          'unsupported_currency',
          'invalid_input',
          'rail_closed',
          'own_credentials_required',
          'currency_not_configured',
          'below_minimum',
          'above_maximum',
          'quote_unavailable',
          'below_network_minimum',
          'reference_taken',
          'invoice_not_created',
        ],
        inputError: (fields) =>
          fields.has('amount') ? 'invalid_amount' : fields.has('currency') ? 'unsupported_currency' : 'invalid_input',
        status: 201,
        crypto: { failure: 'Erro ao processar depósito crypto' },
      },
    })
    .input(cryptoDepositInput)
    .output(encoded(cryptoDepositOutput))
    .mutation(async ({ ctx, input }) => {
      const invoice = await createInvoice(ctx.deps, ctx.principal, {
        id: ctx.subjectId,
        amountCentavos: input.amount,
        currency: input.currency,
        description: input.description,
        callbackUrl: input.callbackUrl,
        expiresInSeconds: input.expiresInSeconds,
        merchantFields: input.merchantFields,
        customer: input.customer,
      });
      const qr = invoice.wallet === null ? null : qrCodeUrls(ctx.deps, invoice.id);
      return {
        success: true as const,
        message: 'Depósito cripto criado com sucesso',
        data: {
          transaction_id: invoice.id,
          invoice_url: invoice.pageUrl,
          wallet_hash: invoice.wallet,
          qr_code: invoice.wallet,
          memo: invoice.memo,
          currency: invoice.currency,
          amount_brl: invoice.amountCentavos,
          amount_fees: invoice.feeCentavos,
          net_amount: invoice.netCentavos,
          status: 'pending' as const,
          crypto_amount: invoice.units,
          expires_at: invoice.expiresAt,
          description: input.description,
          callback_url: input.callbackUrl,
          reference: input.merchantFields.reference,
          metadata: input.merchantFields.metadata,
          qr_code_svg_url: qr?.svg ?? null,
          qr_code_png_url: qr?.png ?? null,
        },
      };
    }),
});
