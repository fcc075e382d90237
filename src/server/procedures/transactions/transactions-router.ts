import { transactionStatusInput, transactionStatusOutput } from '#contract/transactions/transaction-status.ts';
import {
  cancelInput,
  cancelOutput,
  refundInput,
  refundOutput,
  transactionInput,
  transactionListInput,
  transactionListOutput,
  transactionOutput,
} from '#contract/transactions/transactions.ts';
import { readMetadata } from '#domain/transactions/metadata.ts';
import { transactionView } from '#domain/webhooks/events.ts';
import { cancelCharge } from '#services/charges/cancel-charge.ts';
import { requestChargeRefund } from '#services/refunds/request-refund.ts';
import { getTransaction, getWholeTransaction } from '#services/transactions/get-transaction.ts';
import { listOwnTransactions } from '#services/transactions/list-transactions.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, actingIn, router } from '../procedure.ts';
import { transactionFilters } from './transaction-filters.ts';
import { toListItemJson, toTransactionJson } from './transaction-view.ts';

export const transactionsRouter = router({
  status: accountProcedure
    .meta({
      permission: 'transactions:read',
      openapi: {
        method: 'GET',
        path: '/payments/transactions/{transactionId}/status',
        operationId: 'getTransactionStatus',
        tags: ['pix'],
        protect: true,
      },
      rest: {
        errors: ['invalid_transaction_type', 'transaction_not_found'],
        inputError: () => 'invalid_transaction_type',
      },
    })
    .input(transactionStatusInput)
    .output(encoded(transactionStatusOutput))
    .query(async ({ ctx, input }) => {
      const query = { id: input.transactionId, type: input.type };
      const params = await getTransaction(ctx.deps, ctx.principal.accountId, query);
      const { reference, metadata } = params;
      return {
        success: true as const,
        data: { ...transactionView(params), reference, metadata: readMetadata(metadata) },
      };
    }),

  list: accountProcedure
    .meta({
      permission: 'transactions:read',
      openapi: {
        method: 'GET',
        path: '/payments/transactions',
        operationId: 'listTransactions',
        tags: ['transactions'],
        protect: true,
      },
      rest: { errors: ['invalid_input'] },
    })
    .input(transactionListInput)
    .output(encoded(transactionListOutput))
    .query(async ({ ctx, input }) => {
      const { transactions, nextCursor } = await listOwnTransactions(ctx.deps, ctx.principal.accountId, {
        ...transactionFilters(input),
        cursor: input.cursor,
        limit: input.limit,
      });
      return { success: true as const, data: transactions.map(toListItemJson), next_cursor: nextCursor };
    }),

  get: accountProcedure
    .meta({
      permission: 'transactions:read',
      openapi: {
        method: 'GET',
        path: '/payments/transactions/{transactionId}',
        operationId: 'getTransaction',
        tags: ['transactions'],
        protect: true,
      },
      rest: { errors: ['transaction_not_found'] },
    })
    .input(transactionInput)
    .output(encoded(transactionOutput))
    .query(async ({ ctx, input }) => {
      const whole = await getWholeTransaction(ctx.deps, ctx.principal.accountId, input.transactionId);
      return { success: true as const, data: toTransactionJson(whole) };
    }),

  refund: accountProcedure
    .meta({
      permission: 'refunds:write',
      audit: 'refund.requested',
      confirm: 'each',
      openapi: {
        method: 'POST',
        path: '/payments/transactions/{transactionId}/refund',
        operationId: 'refundTransaction',
        tags: ['transactions'],
        protect: true,
      },
      rest: {
        errors: [
          'invalid_amount',
          'invalid_input',
          'transaction_not_found',
          'not_refundable',
          'charge_disputed',
          'reference_taken',
          'kyc_not_approved',
          'withdrawals_paused',
          'refund_too_large',
          'insufficient_funds',
        ],
        inputError: (fields) => (fields.has('amount') ? 'invalid_amount' : 'invalid_input'),
      },
    })
    .input(refundInput)
    .output(encoded(refundOutput))
    .mutation(async ({ ctx, input }) => {
      const refund = await requestChargeRefund(ctx.deps, actingIn(ctx), {
        id: ctx.subjectId,
        transactionId: input.transactionId,
        centavos: input.amount,
        description: input.description,
        merchantFields: input.merchantFields,
      });
      return {
        success: true as const,
        message: 'Devolução solicitada com sucesso',
        data: {
          refund_id: refund.id,
          transaction_id: refund.transactionId,
          amount: refund.centavos,
          status: 'pending' as const,
          reference: input.merchantFields.reference,
          metadata: input.merchantFields.metadata,
          created_at: refund.createdAt,
        },
      };
    }),

  cancel: accountProcedure
    .meta({
      permission: 'charges:write',
      audit: 'charge.cancelled',
      openapi: {
        method: 'POST',
        path: '/payments/transactions/{transactionId}/cancel',
        operationId: 'cancelTransaction',
        tags: ['transactions'],
        protect: true,
      },
      rest: { errors: ['transaction_not_found', 'not_cancellable', 'charge_not_cancelled'] },
    })
    .input(cancelInput)
    .output(encoded(cancelOutput))
    .mutation(async ({ ctx, input }) => {
      const { id } = await cancelCharge(ctx.deps, actingIn(ctx), input.transactionId);
      return {
        success: true as const,
        message: 'Cobrança cancelada com sucesso',
        data: { transaction_id: id, status: 'cancelled' as const },
      };
    }),
});
