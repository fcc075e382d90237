import {
  findAccountsInput,
  findAccountsOutput,
  operatorAccountInput,
  operatorAccountOutput,
  suspendInput,
} from '#contract/operator/accounts.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { findAccounts, getAccountAsOperator } from '#services/accounts/find-accounts.ts';
import { resumeAccount, suspendAccount } from '#services/accounts/suspend-account.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

type Found = Awaited<ReturnType<typeof findAccounts>>['accounts'][number];

export const operatorAccountsRouter = operatorRouterOf({
  find: operatorProcedure
    .input(findAccountsInput)
    .output(encoded(findAccountsOutput))
    .query(async ({ ctx, input }) => {
      const { accounts, next } = await findAccounts(ctx.deps, { ...input, before: input.cursor });
      return { accounts: accounts.map(present), next_cursor: next };
    }),

  get: operatorProcedure
    .input(operatorAccountInput)
    .output(encoded(operatorAccountOutput))
    .query(async ({ ctx, input }) => {
      const { account, balances, members, limits } = await getAccountAsOperator(ctx.deps, input.account_id);
      return {
        account: present(account),
        balances: {
          available: balances.availableCentavos,
          pending: balances.pendingCentavos,
          blocked: balances.blockedCentavos,
          owed: balances.owedCentavos,
        },
        members: members.map(({ name, email, role, hasSecondFactor }) => ({
          ...{ name, email, role },
          has_second_factor: hasSecondFactor,
        })),
        limits: limits.map(({ name, centavos }) => ({ name, limit: centavos })),
      };
    }),

  /** Its keys are rejected and no money leaves; what comes in is credited. */
  suspend: operatorProcedure.input(suspendInput).mutation(async ({ ctx, input }) => {
    settle(await suspendAccount(ctx.acting, { accountId: input.account_id, reason: input.reason }));
  }),

  resume: operatorProcedure.input(operatorAccountInput).mutation(async ({ ctx, input }) => {
    settle(await resumeAccount(ctx.acting, input.account_id));
  }),
});

/** Null: no such account; false: it is so already. */
function settle(changed: boolean | null): void {
  if (changed === null) throw new DomainError('not_found');
  if (!changed) throw new DomainError('invalid_state');
}

const present = (account: Found) => ({
  account_id: account.id,
  merchant_id: account.merchantId,
  merchant_name: account.merchantName,
  email: account.email,
  mode: account.mode,
  kyc_status: account.kycStatus,
  suspended_at: account.suspendedAt,
  suspension_reason: account.suspensionReason,
  created_at: account.createdAt,
});
