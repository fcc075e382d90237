import { isFinalPayment } from '#contract/charges/is-final-payment.ts';
import type { PaymentPageStatus } from '#contract/charges/payment-page.ts';

/**
 * While no stream is to be had: soon enough for somebody who waits, and no burden for a server that
 * may be busy.
 */
const POLL_MS = 5_000;
/**
 * A bank may confirm a payment after its charge expired, a review ends, and whoever sent too few coins may send the rest: worth
 * a look, not a rush.
 */
const REOPENABLE_POLL_MS = 10_000;
const REOPENABLE = new Set<Knowledge>(['expired', 'review', 'underpaid']);

/** What the page knows of the charge: a status, or why it has none. */
export type Knowledge = PaymentPageStatus | 'loading' | 'unknown' | 'unreachable';

/** Whether something can change that the page would show. */
export const canChange = (knowledge: Knowledge): boolean =>
  knowledge === 'loading' || knowledge === 'unreachable' || (knowledge !== 'unknown' && !isFinalPayment(knowledge));

/** When to ask again, in milliseconds, where changes don't arrive by themselves; false: never. */
export function pollInterval(knowledge: Knowledge): number | false {
  if (!canChange(knowledge)) return false;
  return REOPENABLE.has(knowledge) ? REOPENABLE_POLL_MS : POLL_MS;
}
