import { transactionStatusInput, transactionStatusOutput } from '#contract/transaction-status.ts';
import { transactionView } from '#domain/events.ts';
import { getTransaction } from '#services/get-transaction.ts';
import { accountProcedure, router } from './procedure.ts';

export const transactionsRouter = router({
  status: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/payments/transactions/{transactionId}/status',
        summary: 'Consultar status de uma transação PIX',
        tags: ['PIX'],
        protect: true,
      },
      rest: {
        errors: ['invalid_transaction_type', 'transaction_not_found'],
        inputError: () => 'invalid_transaction_type',
      },
    })
    .input(transactionStatusInput)
    .output(transactionStatusOutput)
    .query(async ({ ctx, input }) => {
      const query = { id: input.transactionId, type: input.type };
      const facts = await getTransaction(ctx.deps, ctx.principal.accountId, query);
      return { success: true as const, data: transactionView(facts) };
    }),
});
