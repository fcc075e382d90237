import { z } from 'zod';
import { accountOutput, createAccountInput, createAccountOutput, limitsOutput } from '#contract/accounts/account.ts';
import { FREE } from '#domain/accounts/fees.ts';
import { TRANSACTION_TYPES, type TransactionType } from '#domain/transactions/transaction-states.ts';
import { createAccountFor } from '#services/accounts/create-account-for.ts';
import { getAccount } from '#services/accounts/get-account.ts';
import { getLimits } from '#services/accounts/get-limits.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, actingIn, router } from '../procedure.ts';

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
        tags: ['account'],
        protect: true,
      },
      rest: { errors: ['invalid_input', 'permission_denied', 'account_exists'], status: 201 },
    })
    .input(createAccountInput)
    .output(encoded(createAccountOutput))
    .mutation(async ({ ctx, input }) => {
      const opened = await createAccountFor(ctx.deps, actingIn(ctx), { id: ctx.subjectId, ...input });
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
        tags: ['account'],
        protect: true,
      },
      rest: { errors: [] },
    })
    .input(z.object({}))
    .output(encoded(accountOutput))
    .query(async ({ ctx }) => {
      const { terms, profile, activeRails } = await getAccount(ctx.deps, ctx.principal.accountId);
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
            return { percent: fee.bps, fixed: fee.fixedCentavos };
          }),
          rails: activeRails,
          webhooks: profile.webhooks,
          created_at: profile.createdAt,
        },
      };
    }),

  limits: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/payments/limits',
        operationId: 'getLimits',
        tags: ['account'],
        protect: true,
      },
      rest: { errors: [] },
    })
    .input(z.object({}))
    .output(encoded(limitsOutput))
    .query(async ({ ctx }) => {
      const { limits, used, dayEndsAt, night } = await getLimits(ctx.deps, ctx.principal.accountId);
      return {
        success: true as const,
        data: {
          limits: limits,
          used: {
            pix_out_today: used.pixTodayCentavos,
            pix_out_tonight: used.pixTonightCentavos,
            crypto_out_today: used.cryptoTodayCentavos,
          },
          day_ends_at: dayEndsAt,
          night: night && { starts_at: night.start, ends_at: night.end },
        },
      };
    }),
});

const byType = <T>(value: (type: TransactionType) => T): Record<TransactionType, T> =>
  Object.fromEntries(TRANSACTION_TYPES.map((type) => [type, value(type)])) as Record<TransactionType, T>;
