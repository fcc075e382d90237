import { z } from 'zod';
import { balanceOutput } from '#contract/accounts/balance-output.ts';
import { toBrl } from '#domain/values/money.ts';
import { getBalance } from '#services/accounts/get-balance.ts';
import { accountProcedure, router } from '../procedure.ts';

export const balanceRouter = router({
  get: accountProcedure
    .meta({
      permission: 'balance:read',
      openapi: {
        method: 'GET',
        path: '/payments/balance',
        operationId: 'getBalance',
        tags: ['Conta'],
        protect: true,
      },
      rest: { errors: ['kyc_not_approved'] },
    })
    .input(z.object({}))
    .output(balanceOutput)
    .query(async ({ ctx }) => {
      const balance = await getBalance(ctx.deps, ctx.principal.accountId);
      return {
        success: true as const,
        data: {
          available_balance: toBrl(balance.availableCentavos),
          pending_balance: toBrl(balance.pendingCentavos),
          blocked_balance: toBrl(balance.blockedCentavos),
        },
      };
    }),
});
