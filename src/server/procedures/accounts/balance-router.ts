import { z } from 'zod';
import { balanceOutput } from '#contract/accounts/balance-output.ts';
import { statementListInput, statementListOutput } from '#contract/reports/statement.ts';
import { getBalance } from '#services/accounts/get-balance.ts';
import { getOwnStatement } from '#services/reports/get-own-statement.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, router } from '../procedure.ts';
import { toStatementJson } from '../reports/statement-view.ts';

export const balanceRouter = router({
  get: accountProcedure
    .meta({
      permission: 'balance:read',
      openapi: {
        method: 'GET',
        path: '/payments/balance',
        operationId: 'getBalance',
        tags: ['account'],
        protect: true,
      },
      rest: { errors: ['kyc_not_approved'] },
    })
    .input(z.object({}))
    .output(encoded(balanceOutput))
    .query(async ({ ctx }) => {
      const balance = await getBalance(ctx.deps, ctx.principal.accountId);
      return {
        success: true as const,
        data: {
          available_balance: balance.availableCentavos,
          pending_balance: balance.pendingCentavos,
          blocked_balance: balance.blockedCentavos,
          ...(balance.owedCentavos > 0n && { owed_balance: balance.owedCentavos }),
        },
      };
    }),

  /** Under the permission of the balance: it says what that was after each entry. */
  statement: accountProcedure
    .meta({
      permission: 'balance:read',
      openapi: {
        method: 'GET',
        path: '/payments/statement',
        operationId: 'getStatement',
        tags: ['account'],
        protect: true,
      },
      rest: { errors: ['invalid_input', 'kyc_not_approved'] },
    })
    .input(statementListInput)
    .output(encoded(statementListOutput))
    .query(async ({ ctx, input }) => {
      const page = await getOwnStatement(ctx.deps, ctx.principal.accountId, input);
      return {
        success: true as const,
        data: { balance: input.balance, ...toStatementJson(page) },
        next_cursor: page.nextCursor,
      };
    }),
});
