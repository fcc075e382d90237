import type { z } from 'zod';
import { operatorAccountInput } from '#contract/operator/accounts.ts';
import { cancelTermsInput, changeTermsInput, operatorTermsOutput } from '#contract/operator/terms.ts';
import { FREE } from '#domain/accounts/fees.ts';
import type { TermsChange } from '#domain/accounts/terms-change.ts';
import { startOfDay } from '#domain/reports/statement-period.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { cancelPlannedTerms, changeTerms } from '#services/accounts/change-terms.ts';
import { getAccount } from '#services/accounts/get-account.ts';
import { listTerms } from '#services/accounts/list-terms.ts';
import { presentTermsChange } from '../accounts/present-terms-change.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

/** What is agreed on with an account: read, changed from an instant on, with its history. */
export const operatorTermsRouter = operatorRouterOf({
  get: operatorProcedure
    .input(operatorAccountInput)
    .output(encoded(operatorTermsOutput))
    .query(async ({ ctx: { deps }, input: { account_id: accountId } }) => {
      const changes = await listTerms(deps, accountId);
      const { terms } = await getAccount(deps, accountId);
      return {
        fees: TRANSACTION_TYPES.map((type) => {
          const { bps, fixedCentavos } = terms.fees[type] ?? FREE;
          return { type, percent: bps, fixed: fixedCentavos };
        }),
        spread_percent: terms.spreadBps,
        tolerance_percent: terms.toleranceBps,
        changes: changes.map((change) => ({
          ...presentTermsChange(change.terms, change.before),
          change_id: change.id,
          state: change.state,
          effective_from: change.effectiveAt,
          by: change.createdBy,
          at: change.createdAt,
          reason: change.reason,
          cancelled_by: change.cancelledBy,
        })),
      };
    }),

  /** Now, or from the beginning of a day of São Paulo on. */
  change: operatorProcedure.input(changeTermsInput).mutation(async ({ ctx, input }) => {
    const { account_id: accountId, effective_from: day, reason } = input;
    const effectiveAt = day === null ? null : startOfDay(day);
    await changeTerms(ctx.acting, { accountId, terms: termsOf(input), effectiveAt, reason });
  }),

  cancel: operatorProcedure
    .input(cancelTermsInput)
    .mutation(({ ctx, input }) =>
      cancelPlannedTerms(ctx.acting, { accountId: input.account_id, changeId: input.change_id }),
    ),
});

const termsOf = (input: z.output<typeof changeTermsInput>): TermsChange => ({
  fees: Object.fromEntries(
    input.fees.map(({ type, percent: bps, fixed: fixedCentavos }) => [type, { bps, fixedCentavos }]),
  ),
  limits: Object.fromEntries(
    input.limits.map(({ name, limit, is_default: isDefault }) => [name, isDefault ? 'default' : limit]),
  ),
  ...(input.spread_percent !== undefined && { spreadBps: input.spread_percent }),
  ...(input.tolerance_percent !== undefined && { toleranceBps: input.tolerance_percent }),
});
