import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { findCharge } from '#db/charges/charges.ts';
import type { DecidedBy } from '#db/connection/ask-decision.ts';
import { findInvoice } from '#db/invoices/invoices.ts';
import {
  creditInvoiceReview,
  creditReview,
  findReview,
  listReviews,
  type ReviewOutcome,
  type ReviewRow,
  resolvePayoutReview,
  returnReview,
  writeOffReview,
} from '#db/reviews/reviews.ts';
import { findWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { feeOf } from '#domain/accounts/fees.ts';
import { endOfReview } from '#domain/invoices/invoice-settlement.ts';
import { SETTLED_STATUS } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { timeOfAccount } from '../accounts/on-test-clock.ts';
import { chargeEvent, splitEvent } from '../charges/charge-event.ts';
import { expediteSplitEvent } from '../charges/expedite-split-event.ts';
import type { Deps } from '../deps.ts';
import { invoiceEvent } from '../invoices/invoice-event.ts';
import { SHOWN_MAX } from '../shown-max.ts';
import { chargeOfAmount, depositOf } from '../unmatched/deposit-of.ts';
import { leftOf } from '../unmatched/left-of.ts';
import { planWithdrawalFailedMail } from '../withdrawals/notify-withdrawal-failed.ts';
import { withdrawalEvent } from '../withdrawals/withdrawal-event.ts';

/** Also used by the command line beside a running service. */
type ResolveDeps = Pick<Deps, 'db' | 'clock' | 'testClock' | 'secretBox' | 'wakeWorkers'>;

export const RESOLUTIONS = ['credit', 'return', 'write_off', 'recover', 'dismiss'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** What can be decided about a review, the likeliest first. */
function resolutionsOf({
  type,
  reason,
  foreignState,
}: Pick<ReviewRow, 'type' | 'reason' | 'foreignState'>): Resolution[] {
  if (type === 'pix_in') return ['credit', 'return', 'write_off'];
  // No address is known to which coins could be sent back.
  if (type === 'crypto_in') return ['credit', 'write_off'];
  if (reason === 'provider_says_failed') return ['credit', 'dismiss', 'write_off'];
  if (foreignState === null) return ['recover', 'dismiss', 'write_off'];
  // Its money is booked as not requested: it is decided with the review, or was before it.
  return foreignState === 'open' ? ['recover', 'write_off'] : ['dismiss'];
}

/**
 * `unknown`: there is no such review. `not_possible`: a review of its kind has no such resolution.
 * `too_little`: not enough for the charge's fee and split.
 */
export type ReviewDecision = ReviewOutcome | 'unknown' | 'too_little';

export type OpenReview = ReviewRow & { leftCentavos: bigint; resolutions: Resolution[] };

/** Reviews that wait for a decision, the oldest first; or all of them, the newest first. */
export async function listAllReviews(
  { db }: Pick<Deps, 'db'>,
  { waiting }: { waiting: boolean },
): Promise<OpenReview[]> {
  return (await listReviews(db.pool, { waiting, limit: SHOWN_MAX })).map(toOpenReview);
}

export async function getReview({ db }: Pick<Deps, 'db'>, id: string): Promise<OpenReview | null> {
  const found = await findReview(db.pool, id);
  return found && toOpenReview(found);
}

const toOpenReview = (row: ReviewRow): OpenReview => ({
  ...row,
  leftCentavos: leftOf(row.receivedCentavos, row.returnedCentavos),
  resolutions: row.resolvedAt || row.isReturning ? [] : resolutionsOf(row),
});

export const isOfWithdrawal = ({ type }: Pick<ReviewRow, 'type'>): boolean =>
  type === 'pix_out' || type === 'crypto_out';

/** What is in review: what was received, or, below zero, what was withdrawn. */
export const waitingCentavos = (review: OpenReview): bigint =>
  isOfWithdrawal(review) ? -review.expectedCentavos : review.leftCentavos;

/**
 * Ends a review, in one commit with ledger, event and audit:
 * - `credit`: the account gets what was received; of a withdrawal that did not leave, what it cost
 * - `return`: the payer gets it back; the review ends when it has arrived
 * - `write_off`: nobody gets it; of a withdrawal the platform takes the loss or the gain
 * - `recover`: a withdrawal that left all the same is taken from the account, or owed by it
 * - `dismiss`: a withdrawal stays as it ended first
 *
 * `amountCentavos`: what whoever decides saw of it; absent where any is accepted.
 */
export async function resolveReview(
  deps: ResolveDeps,
  decision: { id: string; resolution: Resolution; reason: string; by: DecidedBy; amountCentavos?: bigint },
): Promise<ReviewDecision> {
  const { id, resolution, reason, by, amountCentavos } = decision;
  const review = await getReview(deps, id);
  if (!review) return 'unknown';
  if (review.resolutions.length === 0) return 'decided';
  if (!review.resolutions.includes(resolution)) return 'not_possible';
  if (amountCentavos !== undefined && amountCentavos !== waitingCentavos(review)) return 'changed';
  const now = await timeOfAccount(deps, review.accountId);
  const terms = await findAccountTerms(deps.db.pool, review.accountId, now);
  if (!terms) return 'unknown';
  const { leftCentavos } = review;
  const common = { id, leftCentavos, reason, by, now };
  const outcome = await decide(deps, { review, resolution, terms, common });
  if (outcome !== 'decided' && outcome !== 'changed') deps.wakeWorkers();
  return outcome;
}

type Step = {
  review: OpenReview;
  resolution: Resolution;
  terms: AccountTerms;
  common: { id: string; leftCentavos: bigint; reason: string; by: DecidedBy; now: Date };
};

function decide(deps: ResolveDeps, step: Step): Promise<ReviewDecision> {
  const { review, resolution, common } = step;
  if (isOfWithdrawal(review)) return resolvePayout(deps, step);
  if (resolution === 'write_off') return writeOffReview(deps.db.pool, common);
  if (resolution === 'return') return returnReview(deps.db.pool, { ...common, returnId: uuidv7(common.now) });
  return review.type === 'pix_in' ? creditCharge(deps, step) : creditInvoice(deps, step);
}

async function creditCharge(deps: ResolveDeps, { review, terms, common }: Step): Promise<ReviewDecision> {
  const { now, leftCentavos } = common;
  const { endToEndId } = review;
  const found = await findCharge(deps.db.pool, review.transactionId);
  if (!found) return 'unknown';
  const paidAt = review.paidAt ?? review.createdAt;
  if (found.status !== 'review') {
    const deposit = depositOf(deps, terms, { rail: found.rail, centavos: leftCentavos, endToEndId, paidAt }, now);
    const { feeCentavos } = deposit.deposit;
    return creditReview(deps.db.pool, { ...common, ...deposit, from: found.status, feeCentavos, split: null });
  }
  const charge = chargeOfAmount(found, terms, leftCentavos);
  if (!charge) return 'too_little';
  const split = splitEvent(deps, charge, now);
  const decision = await creditReview(deps.db.pool, {
    ...common,
    from: charge.status,
    feeCentavos: charge.feeCentavos,
    deposit: null,
    split,
    ...chargeEvent(deps, charge, { status: 'paid', endToEndId, paidAt, now }),
  });
  if (split) await expediteSplitEvent(deps, { ...split, at: now });
  return decision;
}

async function creditInvoice(deps: ResolveDeps, { review, common }: Step): Promise<ReviewDecision> {
  const invoice = await findInvoice(deps.db.pool, review.transactionId);
  if (!invoice) return 'unknown';
  const { now, leftCentavos } = common;
  // One fee for all that the invoice credits, at the terms that it was made with.
  const before = {
    creditedCentavos: invoice.creditedCentavos + invoice.decidedCreditCentavos,
    feesCentavos: invoice.creditedFeeCentavos + invoice.decidedFeeCentavos,
    decidedCentavos: invoice.decidedCentavos,
    settledUnits: invoice.settledUnits,
  };
  const terms = { bps: invoice.feeBps, fixedCentavos: invoice.feeFixedCentavos };
  const rest = feeOf(before.creditedCentavos + leftCentavos, terms) - before.feesCentavos;
  const feeCentavos = rest < 0n ? 0n : rest > leftCentavos ? leftCentavos : rest;
  const { subStatus, event: name } = endOfReview(invoice);
  const credited = {
    ...invoice,
    subStatus,
    decidedCentavos: invoice.decidedCentavos + leftCentavos,
    decidedCreditCentavos: invoice.decidedCreditCentavos + leftCentavos,
    decidedFeeCentavos: invoice.decidedFeeCentavos + feeCentavos,
  };
  const paidAt = invoice.paidAt ?? now;
  const event = invoiceEvent(deps, credited, { status: 'completed', event: name, paidAt, now });
  return creditInvoiceReview(deps.db.pool, { ...common, feeCentavos, before, subStatus, ...event });
}

async function resolvePayout(deps: ResolveDeps, { review, resolution, common }: Step): Promise<ReviewDecision> {
  const withdrawal = await findWithdrawal(deps.db.pool, review.transactionId);
  if (!withdrawal || resolution === 'return') return 'not_possible';
  const { now } = common;
  const failureCode = withdrawal.type === 'pix_out' ? 'provider_refused' : 'network_failed';
  const wasPaid = review.reason === 'provider_says_failed';
  const isPaid = resolution === 'recover' || (wasPaid && resolution !== 'credit');
  const event = isPaid
    ? withdrawalEvent(deps, withdrawal, {
        status: SETTLED_STATUS[withdrawal.type],
        paidAt: withdrawal.paidAt ?? now,
        now,
      })
    : withdrawalEvent(deps, withdrawal, { status: 'failed', failureCode, now });
  // Until now its members took it for paid.
  if (resolution === 'credit') await planWithdrawalFailedMail(deps, withdrawal);
  return resolvePayoutReview(deps.db.pool, { ...common, resolution, failureCode, ...event });
}
