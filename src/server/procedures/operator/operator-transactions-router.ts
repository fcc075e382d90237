import {
  operatorTransactionInput,
  operatorTransactionOutput,
  operatorTransactionsInput,
  operatorTransactionsOutput,
  unsettledPayoutsOutput,
} from '#contract/operator/transactions.ts';
import { periodInstants } from '#domain/reports/statement-period.ts';
import { getTransactionOfAnybody } from '#services/operators/get-transaction-of-anybody.ts';
import { listAllTransactions, type TransactionOfAccount } from '#services/operators/list-all-transactions.ts';
import { listUnsettledPayouts } from '#services/withdrawals/list-unsettled-payouts.ts';
import { encoded } from '../encoded.ts';
import { presentDetail, presentProviderCall } from '../transactions/present-detail.ts';
import { toListItemJson } from '../transactions/transaction-view.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

export const operatorTransactionsRouter = operatorRouterOf({
  /** Of every account, or of one. */
  list: operatorProcedure
    .input(operatorTransactionsInput)
    .output(encoded(operatorTransactionsOutput))
    .query(async ({ ctx, input }) => {
      const { account_id: accountId, type, status: displayStatus, from, to, text, cursor: before, limit } = input;
      const { transactions, next } = await listAllTransactions(ctx.deps, {
        ...{ accountId, type, displayStatus, text, before, limit },
        from: from === null ? null : periodInstants({ from, to: from }).start,
        to: to === null ? null : periodInstants({ from: to, to }).end,
      });
      return {
        transactions: transactions.map((one) => ({ ...toListItemJson(one), ...present(one) })),
        next_cursor: next,
      };
    }),

  get: operatorProcedure
    .input(operatorTransactionInput)
    .output(encoded(operatorTransactionOutput))
    .query(async ({ ctx, input }) => {
      const detail = await getTransactionOfAnybody(ctx.deps, input.transaction_id);
      // Who asked and who decided is the merchant's own affair.
      return { ...present(detail), detail: { ...presentDetail(detail), approval: null } };
    }),

  /** Payouts whose outcome is unknown. */
  payouts: operatorProcedure.output(encoded(unsettledPayoutsOutput)).query(async ({ ctx }) => ({
    payouts: (await listUnsettledPayouts(ctx.deps)).map((one) => ({
      ...present(one),
      transaction_id: one.id,
      type: one.type,
      amount: one.amountCentavos,
      currency: one.currency,
      crypto_amount: one.units,
      rail: one.rail,
      step: one.step ?? ('not_sent' as const),
      since: one.sentAt ?? one.createdAt,
      next_at: one.dueAt,
      attempts: one.attempts,
      error: one.lastError,
      lost_at: one.lostAt,
      calls: one.calls.map(presentProviderCall),
    })),
  })),
});

const present = ({ owner: { accountId, merchantName, mode } }: Pick<TransactionOfAccount, 'owner'>) => ({
  account_id: accountId,
  merchant_name: merchantName,
  mode,
});
