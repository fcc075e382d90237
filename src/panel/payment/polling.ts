import { isFinalPayment } from '#contract/charges/is-final-payment.ts';
import type { PaymentPageStatus } from '#contract/charges/payment-status.ts';

/**
 * Used without a stream: soon enough for a waiting payer, and no burden for a server that may be
 * busy.
 */
const POLL_MS = 5_000;
/**
 * A bank may confirm a payment after its charge expired, a review ends, and a payer who sent too
 * few coins may send the rest: worth a slow poll.
 */
const REOPENABLE_POLL_MS = 10_000;
const REOPENABLE = new Set<ViewState>(['expired', 'review', 'underpaid']);

/** The page's state of the charge: a status, or why there is none. */
export type ViewState = PaymentPageStatus | 'loading' | 'unknown' | 'unreachable';

/** Whether something that the page shows can still change. */
export const canChange = (viewState: ViewState): boolean =>
  viewState === 'loading' || viewState === 'unreachable' || (viewState !== 'unknown' && !isFinalPayment(viewState));

/**
 * Returns when to ask again, in milliseconds, where changes do not arrive by themselves; false:
 * never.
 */
export function pollInterval(viewState: ViewState): number | false {
  if (!canChange(viewState)) return false;
  return REOPENABLE.has(viewState) ? REOPENABLE_POLL_MS : POLL_MS;
}
