import {
  decideInput,
  endDisputeInput,
  endedDisputesInput,
  endedDisputesOutput,
  forwardedInput,
  operatorDisputesOutput,
  waitingOutput,
} from '#contract/operator/decisions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { endDispute } from '#services/disputes/manage-disputes.ts';
import { noteForwardedAnswer } from '#services/disputes/note-forwarded-answer.ts';
import { decideWaiting } from '#services/operators/decide-waiting.ts';
import { decidedByOperator } from '#services/operators/decided-by-operator.ts';
import { type CaseOfAccount, listAllCases, listAllEndedCases } from '#services/operators/list-all-cases.ts';
import { listWaiting } from '#services/operators/list-waiting.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

export const operatorDecisionsRouter = operatorRouterOf({
  /** Money that came or left without a request, and what is in review. */
  waiting: operatorProcedure.output(encoded(waitingOutput)).query(async ({ ctx }) => ({
    items: (await listWaiting(ctx.deps)).map((one) => ({
      id: one.id,
      kind: one.kind,
      mode: one.mode,
      amount: one.centavos,
      asked_amount: one.askedCentavos,
      end_to_end_id: one.endToEndId,
      note: one.note,
      merchant_name: one.merchantName,
      transaction_id: one.transactionId,
      contested: one.isContested,
      at: one.at,
      decisions: one.decisions.map(({ name, centavos }) => ({ name, amount: centavos })),
    })),
  })),

  decide: operatorProcedure.input(decideInput).mutation(async ({ ctx, input }) => {
    const by = decidedByOperator(ctx.acting);
    return { outcome: await decideWaiting(ctx.acting, { ...input, centavos: input.amount, by }) };
  }),

  /** Cases that have not ended. */
  disputes: operatorProcedure.output(encoded(operatorDisputesOutput)).query(async ({ ctx }) => ({
    disputes: (await listAllCases(ctx.deps)).map(presentCase),
  })),

  endedDisputes: operatorProcedure
    .input(endedDisputesInput)
    .output(encoded(endedDisputesOutput))
    .query(async ({ ctx, input: { cursor: before, limit } }) => {
      const { cases, next } = await listAllEndedCases(ctx.deps, { before, limit });
      return { disputes: cases.map(presentCase), next_cursor: next };
    }),

  /** Ends a case as the PSP has decided, where the PSP has no route for it. */
  endDispute: operatorProcedure.input(endDisputeInput).mutation(async ({ ctx, input }) => {
    const by = decidedByOperator(ctx.acting);
    // The page offers no end of a lost case: another operator has decided since it was shown.
    const outcome = await endDispute(ctx.acting, { id: input.dispute_id, to: input.outcome, by, unlessLost: true });
    if (outcome === 'unknown') throw new DomainError('not_found');
    if (outcome === 'decided') throw new DomainError('invalid_state');
  }),

  /** Notes that the answer of a case was brought to the PSP by hand. */
  forwarded: operatorProcedure.input(forwardedInput).mutation(async ({ ctx, input }) => {
    const by = decidedByOperator(ctx.acting);
    const outcome = await noteForwardedAnswer(ctx.acting, { id: input.dispute_id, by });
    if (outcome === 'unknown') throw new DomainError('not_found');
    if (outcome === 'not_answered') throw new DomainError('invalid_state');
  }),
});

const presentCase = (one: CaseOfAccount) => ({
  dispute_id: one.id,
  transaction_id: one.transactionId,
  account_id: one.accountId,
  merchant_name: one.owner.merchantName,
  mode: one.owner.mode,
  state: one.state,
  amount: one.centavos,
  held: one.heldCentavos,
  returned: one.returnedCentavos,
  answer: answerState(one),
  answer_rejection: one.answerRejection,
  opened_at: one.openedAt,
  answer_by: one.answerBy,
  closed_at: one.closedAt,
});

function answerState({ answer, providerId, answerSentAt, answerRejection }: CaseOfAccount) {
  if (answer === null) return 'none' as const;
  if (answerRejection !== null) return 'not_taken' as const;
  if (answerSentAt) return 'sent' as const;
  return providerId === null ? ('to_forward' as const) : ('on_its_way' as const);
}
