import { cryptoWithdrawalInput, cryptoWithdrawalOutput } from '#contract/quotes/crypto.ts';
import {
  cancelPixWithdrawalInput,
  cancelPixWithdrawalOutput,
  pixWithdrawalInput,
  pixWithdrawalOutput,
} from '#contract/withdrawals/pix-withdrawal.ts';
import { externalIdOf } from '#domain/webhooks/events.ts';
import type { WithdrawalSubStatus } from '#domain/withdrawals/approvals.ts';
import { cancelScheduledWithdrawal } from '#services/withdrawals/end-scheduled.ts';
import { requestCryptoWithdrawal } from '#services/withdrawals/request-crypto-withdrawal.ts';
import { requestPixWithdrawal } from '#services/withdrawals/request-pix-withdrawal.ts';
import { schedulePixWithdrawal } from '#services/withdrawals/schedule-pix-withdrawal.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, actingIn, type InputError, router } from '../procedure.ts';

const sendsMoney = accountProcedure.meta({
  permission: 'withdrawals:write',
  audit: 'withdrawal.requested',
  confirm: 'each',
});

export const withdrawalsRouter = router({
  pix: sendsMoney
    .meta({
      openapi: {
        method: 'POST',
        path: '/payments/transfers/pix',
        operationId: 'createPixWithdrawal',
        tags: ['pix'],
        protect: true,
      },
      rest: {
        errors: [
          'invalid_amount',
          'invalid_input',
          'invalid_pix_key',
          'kyc_not_approved',
          'rail_closed',
          'own_credentials_required',
          'rail_not_configured',
          'below_minimum',
          'above_maximum',
          'reference_taken',
          'withdrawals_paused',
          'not_a_payee',
          'payee_waits',
          'daily_limit_reached',
          'night_limit_reached',
          'insufficient_funds',
          'key_owner_unknown',
        ],
        inputError: pixInputError,
      },
    })
    .input(pixWithdrawalInput)
    .output(encoded(pixWithdrawalOutput))
    .mutation(async ({ ctx, input }) => {
      const { amount: amountCentavos, pixKey, pixKeyType, description, merchantFields, schedule } = input;
      const request = { id: ctx.subjectId, amountCentavos, pixKey, pixKeyType, description, merchantFields };
      const withdrawal = schedule
        ? await schedulePixWithdrawal(ctx.deps, actingIn(ctx), request, schedule)
        : await requestPixWithdrawal(ctx.deps, actingIn(ctx), request);
      return {
        success: true as const,
        message: schedule ? 'Saque PIX agendado com sucesso' : 'Saque PIX solicitado com sucesso',
        data: {
          transaction_id: withdrawal.id,
          external_id: externalIdOf(withdrawal),
          type: 'pix_out' as const,
          status: 'pending' as const,
          ...waits(withdrawal),
          ...(withdrawal.scheduledFor && { scheduled_for: withdrawal.scheduledFor }),
          amount: withdrawal.amountCentavos,
          amount_fees: withdrawal.feeCentavos,
          amount_total: withdrawal.amountCentavos + withdrawal.feeCentavos,
          pix_key: pixKey,
          pix_key_type: pixKeyType,
          description,
          reference: merchantFields.reference,
          metadata: merchantFields.metadata,
          created_at: withdrawal.createdAt,
        },
      };
    }),

  cancelPix: accountProcedure
    .meta({
      permission: 'withdrawals:write',
      audit: 'withdrawal.cancelled',
      openapi: {
        method: 'POST',
        path: '/payments/transfers/pix/{transactionId}/cancel',
        operationId: 'cancelPixWithdrawal',
        tags: ['pix'],
        protect: true,
      },
      rest: { errors: ['transaction_not_found', 'payout_started'] },
    })
    .input(cancelPixWithdrawalInput)
    .output(encoded(cancelPixWithdrawalOutput))
    .mutation(async ({ ctx, input }) => {
      const { id } = await cancelScheduledWithdrawal(ctx.deps, actingIn(ctx), input.transactionId);
      return {
        success: true as const,
        message: 'Agendamento cancelado com sucesso',
        data: { transaction_id: id, status: 'cancelled' as const },
      };
    }),

  crypto: sendsMoney
    .meta({
      openapi: {
        method: 'POST',
        path: '/payments/transfers/crypto',
        operationId: 'createCryptoWithdrawal',
        tags: ['crypto'],
        protect: true,
      },
      rest: {
        errors: [
          'invalid_amount',
          'wallet_required',
          'invalid_wallet',
          'own_deposit_address',
          'invalid_memo',
          'invalid_input',
          'unsupported_currency',
          'kyc_not_approved',
          'rail_closed',
          'own_credentials_required',
          'rail_not_configured',
          'below_minimum',
          'above_maximum',
          'reference_taken',
          'quote_unavailable',
          'withdrawals_paused',
          'not_a_payee',
          'payee_waits',
          'daily_limit_reached',
          'insufficient_funds',
        ],
        inputError: cryptoInputError,
        crypto: { failure: 'Erro ao processar saque crypto' },
      },
    })
    .input(cryptoWithdrawalInput)
    .output(encoded(cryptoWithdrawalOutput))
    .mutation(async ({ ctx, input }) => {
      const withdrawal = await requestCryptoWithdrawal(ctx.deps, actingIn(ctx), {
        id: ctx.subjectId,
        amountCentavos: input.amount,
        wallet: input.wallet,
        memo: input.memo,
        currency: input.currency,
        merchantFields: input.merchantFields,
      });
      return {
        success: true as const,
        message: 'Saque cripto solicitado com sucesso',
        data: {
          transaction_id: withdrawal.id,
          amount_brl: withdrawal.amountCentavos,
          amount_fees: withdrawal.feeCentavos,
          net_amount_brl: withdrawal.netCentavos,
          crypto_amount: withdrawal.units,
          currency: withdrawal.currency,
          wallet: withdrawal.wallet,
          status: 'pending' as const,
          ...(withdrawal.subStatus === 'pending_approval' && { sub_status: withdrawal.subStatus }),
          reference: input.merchantFields.reference,
          metadata: input.merchantFields.metadata,
        },
      };
    }),
});

/** Without a sub-status the response is the contract's to the letter. */
const waits = ({ subStatus }: { subStatus: WithdrawalSubStatus | null }) =>
  subStatus === null ? {} : { sub_status: subStatus };

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
  if (fields.has('currency')) return 'unsupported_currency' as const;
  return fields.has('memo') ? ('invalid_memo' as const) : ('invalid_input' as const);
}

const isAbsent = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
