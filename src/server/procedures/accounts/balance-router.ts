import { z } from 'zod';
import { balanceOutput } from '#contract/accounts/balance-output.ts';
import { getBalance } from '#services/accounts/get-balance.ts';
import { encoded } from '../encoded.ts';
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
});
