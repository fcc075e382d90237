import { z } from 'zod';
import { payeesOutput } from '#contract/payees/payees.ts';
import { listOwnPayees } from '#services/payees/list-payees.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, router } from '../procedure.ts';

/** The address book of the account: PIX keys and wallets that its members know. */
export const payeesRouter = router({
  list: accountProcedure
    .meta({
      // Whoever may send sees to whom.
      permission: 'withdrawals:write',
      openapi: {
        method: 'GET',
        path: '/payments/payees',
        operationId: 'listPayees',
        tags: ['account'],
        protect: true,
      },
      rest: { errors: [] },
    })
    .input(z.object({}))
    .output(encoded(payeesOutput))
    .query(async ({ ctx }) => ({
      success: true as const,
      data: (await listOwnPayees(ctx.deps, ctx.principal.accountId)).map((payee) => ({
        payee_id: payee.id,
        label: payee.label,
        pix_key: payee.pixKey,
        pix_key_type: payee.pixKeyType,
        network: payee.network,
        wallet: payee.wallet,
        memo: payee.memo,
        added_by: payee.addedBy,
        added_at: payee.addedAt,
        usable_from: payee.usableFrom,
        waits: payee.isWaiting,
      })),
    })),
});
