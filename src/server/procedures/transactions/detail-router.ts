import { transactionDetailInput, transactionDetailOutput } from '#contract/transactions/transaction-detail.ts';
import { getTransactionDetail } from '#services/transactions/get-transaction-detail.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentDetail } from './present-detail.ts';

export const detailRouter = router({
  /**
   * A transaction with its records: ledger, webhooks, provider calls, and what can be done with it.
   */
  get: memberProcedure
    .input(transactionDetailInput)
    .output(encoded(transactionDetailOutput))
    .query(async ({ ctx, input }) =>
      presentDetail(await getTransactionDetail(ctx.deps, ctx.principal.accountId, input.transaction_id)),
    ),
});
