import { z } from 'zod';
import {
  batchesOutput,
  batchInput,
  batchOutput,
  batchPreviewOutput,
  madeBatchOutput,
  payoutBatchInput,
} from '#contract/withdrawals/payout-batches.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import { approvePayoutBatch, declinePayoutBatch } from '#services/withdrawals/decide-payout-batch.ts';
import { type Batch, getPayoutBatch, listPayoutBatches } from '#services/withdrawals/get-payout-batch.ts';
import { makePayoutBatch, previewPayoutBatch } from '#services/withdrawals/make-payout-batch.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

/** PIX withdrawals of one file. */
export const batchesRouter = router({
  list: memberProcedure
    .input(z.object({}))
    .output(encoded(batchesOutput))
    .query(async ({ ctx }) => ({
      batches: (await listPayoutBatches(ctx.deps, ctx.principal.accountId)).map((batch) => ({
        ...{ batch_id: batch.id, state: batch.state, count: batch.rows, amount: batch.centavos },
        ...{ made_by: batch.madeBy, made_at: batch.madeAt },
      })),
    })),

  get: memberProcedure
    .input(batchInput)
    .output(encoded(batchOutput))
    .query(async ({ ctx, input }) =>
      present(await getPayoutBatch(ctx.deps, ctx.principal.accountId, input.batch_id), ctx.member.memberId),
    ),

  /** No query: a file does not fit into an address. It stores nothing. */
  preview: memberProcedure
    .input(payoutBatchInput)
    .output(encoded(batchPreviewOutput))
    .mutation(async ({ ctx, input }) => {
      const found = await previewPayoutBatch(ctx.deps, ctx.principal.accountId, input);
      const { amountCentavos, feeCentavos } = found;
      return {
        issues: [...found.issues],
        count: found.count,
        amount: amountCentavos,
        fees: feeCentavos,
        total: amountCentavos + feeCentavos,
        available: found.availableCentavos,
        at_own_provider: found.atOwnProviderCentavos,
        passed_limits: found.passedLimits.map(({ name, limitCentavos, usedCentavos, endsAt }) => ({
          ...{ name, ends_at: endsAt },
          left: limitCentavos > usedCentavos ? limitCentavos - usedCentavos : 0n,
        })),
        needs_approval: found.needsApproval,
        batch_id: found.batchId,
      };
    }),

  make: memberProcedure
    .meta({ confirm: 'each' })
    .input(payoutBatchInput)
    .output(encoded(madeBatchOutput))
    .mutation(async ({ ctx, input }) => {
      const { batchId, isNew } = await makePayoutBatch(ctx.deps, whoIn(ctx), input);
      return { batch_id: batchId, is_new: isNew };
    }),

  approve: memberProcedure
    .meta({ confirm: 'each' })
    .input(batchInput)
    .mutation(({ ctx, input }) => approvePayoutBatch(ctx.deps, whoIn(ctx), input.batch_id)),

  /** It asks for no confirmation: no money leaves. */
  decline: memberProcedure
    .input(batchInput)
    .mutation(({ ctx, input }) => declinePayoutBatch(ctx.deps, whoIn(ctx), input.batch_id)),
});

const whoIn = ({ principal, member, panel }: { principal: Principal; member: Member; panel: { origin: Origin } }) => ({
  accountId: principal.accountId,
  mode: principal.mode,
  member,
  origin: panel.origin,
});

function present(batch: Batch, memberId: string) {
  const share = ({ count, centavos }: { count: number; centavos: bigint }) => ({ count, amount: centavos });
  const { sent, failed, open } = batch.sums;
  return {
    ...{ batch_id: batch.id, state: batch.state, count: batch.rows.length, amount: batch.centavos },
    ...{ made_by: batch.madeBy, made_at: batch.madeAt, own: batch.madeById === memberId },
    ...{ decide_until: batch.decideUntil, decided_by: batch.decidedBy, decided_at: batch.decidedAt },
    sums: { sent: share(sent), failed: share(failed), open: share(open) },
    rows: batch.rows.map((row) => ({
      number: row.number,
      amount: row.centavos,
      pix_key: row.pixKey,
      pix_key_type: row.pixKeyType,
      description: row.description,
      reference: row.reference,
      failure: row.status === null ? row.failure : null,
      transaction: row.status && { transaction_id: row.withdrawalId, status: row.status, sub_status: row.subStatus },
    })),
  };
}
