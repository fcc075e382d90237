import { cryptoWithdrawalInput, cryptoWithdrawalOutput } from '#contract/quotes/crypto.ts';
import { pixWithdrawalInput, pixWithdrawalOutput } from '#contract/withdrawals/pix-withdrawal.ts';
import { unitsToNumber } from '#domain/quotes/crypto-units.ts';
import { readBrl, toBrl } from '#domain/values/money.ts';
import { externalIdOf } from '#domain/webhooks/events.ts';
import { type PixKeyType, parsePixKey, pixKeyType } from '#domain/withdrawals/pix-key.ts';
import { requestCryptoWithdrawal } from '#services/withdrawals/request-crypto-withdrawal.ts';
import { requestPixWithdrawal } from '#services/withdrawals/request-pix-withdrawal.ts';
import { accountProcedure, type InputError, router } from '../procedure.ts';

export const withdrawalsRouter = router({
  pix: accountProcedure
    .meta({
      permission: 'withdrawals:write',
      audit: 'withdrawal.requested',
      confirm: 'each',
      openapi: {
        method: 'POST',
        path: '/payments/transfers/pix',
        operationId: 'createPixWithdrawal',
        summary: 'Sacar por PIX',
        description: 'Envia exatamente amount à chave; a tarifa é somada e sai do saldo.',
        tags: ['PIX'],
        protect: true,
      },
      rest: {
        errors: [
          'invalid_amount',
          'invalid_input',
          'invalid_pix_key',
          'kyc_not_approved',
          'rail_not_configured',
          'below_minimum',
          'above_maximum',
          'withdrawals_paused',
          'daily_limit_reached',
          'night_limit_reached',
          'insufficient_funds',
        ],
        inputError: pixInputError,
      },
    })
    .input(pixWithdrawalInput)
    .output(pixWithdrawalOutput)
    .mutation(async ({ ctx, input }) => {
      // The contract's schema has checked both: these never fall through.
      const type = pixKeyType(input.pixKeyType) as PixKeyType;
      const pixKey = parsePixKey(input.pixKey, type) as string;
      const description = input.description ?? null;
      const request = {
        id: ctx.subjectId,
        amountCentavos: readBrl(input.amount) ?? 0n,
        pixKey,
        pixKeyType: type,
        description,
      };
      const withdrawal = await requestPixWithdrawal(ctx.deps, ctx.principal, request);
      return {
        success: true as const,
        message: 'Saque PIX solicitado com sucesso',
        data: {
          transaction_id: withdrawal.id,
          external_id: externalIdOf(withdrawal),
          type: 'pix_out' as const,
          status: 'pending' as const,
          amount: toBrl(withdrawal.amountCentavos),
          amount_fees: toBrl(withdrawal.feeCentavos),
          amount_total: toBrl(withdrawal.amountCentavos + withdrawal.feeCentavos),
          pix_key: pixKey,
          pix_key_type: type.toUpperCase() as Uppercase<PixKeyType>,
          description,
          created_at: withdrawal.createdAt.toISOString(),
        },
      };
    }),

  crypto: accountProcedure
    .meta({
      permission: 'withdrawals:write',
      audit: 'withdrawal.requested',
      confirm: 'each',
      openapi: {
        method: 'POST',
        path: '/payments/transfers/crypto',
        operationId: 'createCryptoWithdrawal',
        summary: 'Sacar em cripto',
        description: 'A tarifa sai de amount; o equivalente líquido em cripto é enviado à carteira.',
        tags: ['Cripto'],
        protect: true,
      },
      rest: {
        errors: [
          'invalid_amount',
          'wallet_required',
          'invalid_wallet',
          'own_deposit_address',
          'invalid_memo',
          'unsupported_currency',
          'kyc_not_approved',
          'rail_not_configured',
          'below_minimum',
          'above_maximum',
          'quote_unavailable',
          'withdrawals_paused',
          'daily_limit_reached',
          'insufficient_funds',
        ],
        inputError: cryptoInputError,
        crypto: { failure: 'Erro ao processar saque crypto' },
      },
    })
    .input(cryptoWithdrawalInput)
    .output(cryptoWithdrawalOutput)
    .mutation(async ({ ctx, input }) => {
      const withdrawal = await requestCryptoWithdrawal(ctx.deps, ctx.principal, {
        id: ctx.subjectId,
        amountCentavos: readBrl(input.amount) ?? 0n,
        wallet: input.wallet.trim(),
        memo: input.memo ?? null,
        currency: input.currency ?? null,
      });
      return {
        success: true as const,
        message: 'Saque cripto solicitado com sucesso',
        data: {
          transaction_id: withdrawal.id,
          amount_brl: toBrl(withdrawal.amountCentavos),
          amount_fees: toBrl(withdrawal.feeCentavos),
          net_amount_brl: toBrl(withdrawal.netCentavos),
          crypto_amount: unitsToNumber(withdrawal.units),
          currency: withdrawal.currency,
          wallet: withdrawal.wallet,
          status: 'pending' as const,
        },
      };
    }),
});

/** The order of the checks: amount, required fields, formats. */
function pixInputError(...[fields, input]: Parameters<InputError>) {
  if (fields.has('amount')) return 'invalid_amount' as const;
  if (isAbsent(input.pixKey) || isAbsent(input.pixKeyType)) return 'invalid_input' as const;
  return fields.has('pixKey') || fields.has('pixKeyType') ? ('invalid_pix_key' as const) : ('invalid_input' as const);
}

function cryptoInputError(...[fields, input]: Parameters<InputError>) {
  if (fields.has('amount')) return 'invalid_amount' as const;
  if (isAbsent(input.wallet)) return 'wallet_required' as const;
  if (fields.has('wallet')) return 'invalid_wallet' as const;
  return fields.has('currency') ? ('unsupported_currency' as const) : ('invalid_memo' as const);
}

const isAbsent = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
