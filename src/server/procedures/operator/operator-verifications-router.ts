import {
  operatorVerificationInput,
  operatorVerificationOutput,
  rejectVerificationInput,
  verificationsInput,
  verificationsOutput,
} from '#contract/operator/verifications.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '#services/deps.ts';
import {
  approveVerification,
  findVerification,
  listCaseDocuments,
  listVerifications,
  type OpenCase,
  rejectVerification,
} from '#services/kyc/decide-verification.ts';
import { presentDocument } from '../../panel/present-document.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

export const operatorVerificationsRouter = operatorRouterOf({
  list: operatorProcedure
    .input(verificationsInput)
    .output(encoded(verificationsOutput))
    .query(async ({ ctx, input }) => ({ verifications: (await listVerifications(ctx.deps, input)).map(present) })),

  get: operatorProcedure
    .input(operatorVerificationInput)
    .output(encoded(operatorVerificationOutput))
    .query(async ({ ctx, input }) => {
      const found = await demand(ctx.deps, input.id);
      const { kind: _, ...form } = found.form;
      const documents = await listCaseDocuments(ctx.deps, found);
      return { verification: present(found), form, documents: documents.map(presentDocument) };
    }),

  approve: operatorProcedure.input(operatorVerificationInput).mutation(async ({ ctx, input }) => {
    settle(await approveVerification(ctx.acting, await demand(ctx.deps, input.id)));
  }),

  reject: operatorProcedure.input(rejectVerificationInput).mutation(async ({ ctx, input }) => {
    settle(await rejectVerification(ctx.acting, await demand(ctx.deps, input.id), input.reason));
  }),
});

async function demand(deps: Deps, id: string): Promise<OpenCase> {
  const found = await findVerification(deps, id);
  if (!found) throw new DomainError('not_found');
  return found;
}

/** False: it was decided before. */
function settle(decided: boolean): void {
  if (!decided) throw new DomainError('invalid_state');
}

const present = (one: Awaited<ReturnType<typeof listVerifications>>[number]) => ({
  id: one.id,
  merchant_id: one.merchantId,
  merchant_name: one.merchant.name,
  email: one.merchant.email,
  document: one.merchant.document,
  kind: one.kind,
  decision: one.decision,
  reason: one.reason,
  submitted_at: one.submittedAt,
  decided_at: one.decidedAt,
});
