import { z } from 'zod';
import { accountOutput, createAccountInput, createAccountOutput, limitsOutput } from '#contract/accounts/account.ts';
import { FREE } from '#domain/accounts/fees.ts';
import { LIMIT_NAMES, type LimitName } from '#domain/accounts/limits.ts';
import { TRANSACTION_TYPES, type TransactionType } from '#domain/transactions/transaction-states.ts';
import { toBrl } from '#domain/values/money.ts';
import { createAccountFor } from '#services/accounts/create-account-for.ts';
import { getAccount } from '#services/accounts/get-account.ts';
import { getLimits } from '#services/accounts/get-limits.ts';
import { accountProcedure, router } from '../procedure.ts';

export const accountRouter = router({
  create: accountProcedure
    .meta({
      permission: 'accounts:write',
      audit: 'account.opened',
      // It makes an API key.
      confirm: 'recent',
      secrets: ['data.api_key', 'data.secret_key'],
      openapi: {
        method: 'POST',
        path: '/accounts',
        operationId: 'createAccount',
        tags: ['Conta'],
        protect: true,
      },
      rest: { errors: ['invalid_input', 'permission_denied', 'account_exists'], status: 201 },
    })
    .input(createAccountInput)
    .output(createAccountOutput)
    .mutation(async ({ ctx, input }) => {
      const opened = await createAccountFor(ctx.deps, ctx.principal, { id: ctx.subjectId, ...input });
      return {
        success: true as const,
        message: 'Conta criada com sucesso',
        data: {
          account_id: opened.accountId,
          name: input.name,
          email: input.email,
          document: input.document,
          kyc_status: opened.kycStatus,
          mode: opened.mode,
          api_key: opened.apiKey,
          secret_key: opened.secretKey,
        },
      };
    }),

  get: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/account',
        operationId: 'getAccount',
        tags: ['Conta'],
        protect: true,
      },
      rest: { errors: [] },
    })
    .input(z.object({}))
    .output(accountOutput)
    .query(async ({ ctx }) => {
      const { terms, profile } = await getAccount(ctx.deps, ctx.principal.accountId);
      return {
        success: true as const,
        data: {
          account_id: terms.accountId,
          name: profile.name,
          email: profile.email,
          document: profile.document,
          document_type: profile.documentType,
          kyc_status: terms.kycStatus,
          mode: terms.mode,
          currency: terms.currency,
          can_create_accounts: terms.mayCreateAccounts,
          fees: byType((type) => {
            const fee = terms.fees[type] ?? FREE;
            return { percent: fee.bps / 100, fixed: toBrl(fee.fixedCentavos) };
          }),
          rails: byType((type) => !terms.inactiveRails.includes(type)),
          webhooks: profile.webhooks,
          created_at: profile.createdAt.toISOString(),
        },
      };
    }),

  limits: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/payments/limits',
        operationId: 'getLimits',
        tags: ['Conta'],
        protect: true,
      },
      rest: { errors: [] },
    })
    .input(z.object({}))
    .output(limitsOutput)
    .query(async ({ ctx }) => {
      const { limits, used, dayEndsAt, night } = await getLimits(ctx.deps, ctx.principal.accountId);
      const entries = LIMIT_NAMES.map((name) => {
        const centavos = limits[name];
        return [name, centavos === null ? null : toBrl(centavos)] as const;
      });
      return {
        success: true as const,
        data: {
          limits: Object.fromEntries(entries) as Record<LimitName, number | null>,
          used: {
            pix_out_today: toBrl(used.pixTodayCentavos),
            pix_out_tonight: toBrl(used.pixTonightCentavos),
            crypto_out_today: toBrl(used.cryptoTodayCentavos),
          },
          day_ends_at: dayEndsAt.toISOString(),
          night: night && { starts_at: night.start.toISOString(), ends_at: night.end.toISOString() },
        },
      };
    }),
});

const byType = <T>(value: (type: TransactionType) => T): Record<TransactionType, T> =>
  Object.fromEntries(TRANSACTION_TYPES.map((type) => [type, value(type)])) as Record<TransactionType, T>;
