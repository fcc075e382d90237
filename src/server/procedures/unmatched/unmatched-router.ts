import * as contract from '#contract/unmatched/unmatched.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import { chargePayout, type ForeignPayoutDecision } from '#services/unmatched/decide-foreign-payout.ts';
import {
  assignPayment,
  depositPayment,
  findOwnPayment,
  returnPayment,
  type UnmatchedDecision,
} from '#services/unmatched/decide-unmatched.ts';
import { getInbox } from '#services/unmatched/get-inbox.ts';
import { findUnpaidCharges, previewDecision } from '#services/unmatched/preview-decision.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentInbox } from './present-inbox.ts';

/**
 * Money that belongs to no charge, for a merchant with credentials of their own. Each service takes
 * the account, and finds nothing of another's.
 */
export const unmatchedRouter = router({
  inbox: memberProcedure
    .output(encoded(contract.inboxOutput))
    .query(async ({ ctx }) => presentInbox(await getInbox(ctx.deps, ctx.principal.accountId))),

  /** Charges that a payment may be of. */
  assignable: memberProcedure
    .input(contract.assignableInput)
    .output(encoded(contract.assignableOutput))
    .query(async ({ ctx, input }) => {
      const { accountId } = ctx.principal;
      const payment = await findOwnPayment(ctx.deps, { id: input.payment_id, accountId });
      if (!payment) throw new DomainError('not_found');
      const charges = await findUnpaidCharges(
        ctx.deps,
        accountId,
        input.text === undefined ? { centavos: payment.leftCentavos } : { text: input.text },
      );
      return {
        charges: charges.map((charge) => ({
          transaction_id: charge.id,
          amount: charge.amountCentavos,
          status: charge.status,
          description: charge.description,
          customer_name: charge.customerName,
          created_at: charge.createdAt,
        })),
      };
    }),

  preview: memberProcedure
    .input(contract.previewInput)
    .output(encoded(contract.previewOutput))
    .query(async ({ ctx, input }) => {
      const { accountId } = ctx.principal;
      const of = { id: input.payment_id, accountId };
      const figures = await previewDecision(
        ctx.deps,
        input.charge_id === undefined ? { ...of, toAccountId: accountId } : { ...of, chargeId: input.charge_id },
      );
      if (typeof figures === 'string') throw problem(figures);
      const { amountCentavos: amount, feeCentavos: fee, splitCentavos: split, netCentavos: net } = figures;
      return { amount, fee, split, net };
    }),

  assign: memberProcedure
    .input(contract.assignInput)
    .output(encoded(contract.decisionOutput))
    .mutation(async ({ ctx, input }) =>
      done(
        await assignPayment(ctx.deps, {
          ...decisionIn(ctx, input),
          chargeId: input.charge_id,
          netCentavos: input.net,
        }),
      ),
    ),

  deposit: memberProcedure
    .input(contract.depositInput)
    .output(encoded(contract.decisionOutput))
    .mutation(async ({ ctx, input }) =>
      done(
        await depositPayment(ctx.deps, {
          ...decisionIn(ctx, input),
          toAccountId: ctx.principal.accountId,
          netCentavos: input.net,
        }),
      ),
    ),

  /** The money leaves. */
  returnToPayer: memberProcedure
    .meta({ confirm: 'each' })
    .input(contract.returnInput)
    .output(encoded(contract.decisionOutput))
    .mutation(async ({ ctx, input }) =>
      done(await returnPayment(ctx.deps, { ...decisionIn(ctx, input), amountCentavos: input.amount })),
    ),

  /** It has left before; now the balance pays for it. */
  charge: memberProcedure
    .input(contract.chargeInput)
    .output(encoded(contract.decisionOutput))
    .mutation(async ({ ctx, input }) =>
      done(
        await chargePayout(ctx.deps, {
          ...decisionIn(ctx, { ...input, payment_id: input.payout_id }),
          toAccountId: ctx.principal.accountId,
          amountCentavos: input.amount,
        }),
      ),
    ),
});

type Who = { principal: Principal; member: Member; panel: { origin: Origin } };

const decisionIn = (
  { principal, member, panel }: Who,
  { payment_id: id, reason }: { payment_id: string; reason: string },
) => ({
  id,
  accountId: principal.accountId,
  reason,
  by: { name: member.name, memberId: member.memberId, ...panel.origin },
});

type Outcome = UnmatchedDecision | ForeignPayoutDecision;

const PROBLEMS = {
  unknown: 'not_found',
  unknown_account: 'not_found',
  unknown_charge: 'transaction_not_found',
  decided: 'payment_decided',
  not_open: 'charge_not_assignable',
  other_rail: 'charge_not_assignable',
  too_little: 'payment_too_small',
  changed: 'figures_changed',
} as const;

const problem = (outcome: Outcome) =>
  new DomainError(Object.hasOwn(PROBLEMS, outcome) ? PROBLEMS[outcome as keyof typeof PROBLEMS] : 'invalid_state');

/** A decision that is carried out; everything else is an error. */
function done(outcome: Outcome) {
  if (outcome === 'assigned' || outcome === 'deposited' || outcome === 'returning' || outcome === 'charged') {
    return { outcome };
  }
  throw problem(outcome);
}
