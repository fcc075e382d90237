import type { DecidedBy } from '#db/connection/ask-decision.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { RESOLUTIONS, type Resolution, type ReviewDecision, resolveReview } from '../reviews/resolve-review.ts';
import { chargePayout, type ForeignPayoutDecision, writeOffPayout } from '../unmatched/decide-foreign-payout.ts';
import { assignPayment, depositPayment, returnPayment, type UnmatchedDecision } from '../unmatched/decide-unmatched.ts';
import { takeNoteOfOperation } from '../unmatched/take-note-of-operation.ts';
import type { Decision, WaitingItem } from './list-waiting.ts';

type Outcome =
  | UnmatchedDecision
  | ForeignPayoutDecision
  | ReviewDecision
  | Awaited<ReturnType<typeof takeNoteOfOperation>>
  | 'no_target';

/** Which outcomes of a decision mean that something was booked, or is on its way. */
const IS_DONE: Record<Outcome, boolean> = {
  assigned: true,
  deposited: true,
  returning: true,
  charged: true,
  written_off: true,
  credited: true,
  resolved: true,
  acknowledged: true,
  unknown: false,
  unknown_charge: false,
  unknown_account: false,
  decided: false,
  changed: false,
  other_rail: false,
  not_open: false,
  too_little: false,
  not_possible: false,
  no_target: false,
};

/**
 * Decides about money that waits, and returns the outcome. Errors (DomainError): not_decided, whose
 * param `why` is the decision's own outcome, or `no_target` for a decision that needs a target.
 */
export async function decideWaiting(
  deps: Deps,
  asked: Pick<WaitingItem, 'id' | 'kind'> & {
    decision: Decision;
    /** The charge of `assign`, the account of `deposit` and `charge`. */
    target: string | null;
    /** The amount with which it was shown, null of coins: `changed` where it waits with another. */
    centavos: bigint | null;
    reason: string;
    by: DecidedBy;
  },
): Promise<Outcome> {
  const outcome = await run(deps, asked);
  if (!IS_DONE[outcome]) throw new DomainError('not_decided', { params: { why: outcome } });
  return outcome;
}

async function run(deps: Deps, asked: Parameters<typeof decideWaiting>[1]): Promise<Outcome> {
  const { id, kind, decision, reason, by } = asked;
  const common = { id, reason, by };
  const target = () => {
    if (asked.target === null) throw new DomainError('not_decided', { params: { why: 'no_target' } });
    return asked.target;
  };
  const shown = asked.centavos === null ? {} : { amountCentavos: asked.centavos };
  const own = { ...common, ...shown, accountId: null };
  if (kind === 'unmatched' && decision === 'assign') return assignPayment(deps, { ...own, chargeId: target() });
  if (kind === 'unmatched' && decision === 'deposit') return depositPayment(deps, { ...own, toAccountId: target() });
  if (kind === 'unmatched' && decision === 'return') return returnPayment(deps, own);
  if (kind === 'sent' && decision === 'charge') {
    return chargePayout(deps, { ...common, accountId: null, toAccountId: target() });
  }
  if (kind === 'sent' && decision === 'write_off') return writeOffPayout(deps, common);
  if (kind === 'operation' && decision === 'acknowledge') return takeNoteOfOperation(deps, common);
  if (kind === 'review' && isResolution(decision)) {
    return resolveReview(deps, { ...common, ...shown, resolution: decision });
  }
  return 'not_possible';
}

const isResolution = (decision: Decision): decision is Resolution =>
  (RESOLUTIONS as readonly string[]).includes(decision);
