import type { PaymentPageStatus } from '#contract/charges/payment-page.ts';

/** The page promises "paid" within 2 s of the payment: one interval, and as much again for the round trip. */
const PENDING_POLL_MS = 1_000;
/** A confirmation takes the quickest of networks some seconds. */
const DETECTED_POLL_MS = 3_000;
/**
 * A bank may confirm a payment after its charge expired, a review ends, and whoever sent too few coins may send the rest: worth
 * a look, not a rush.
 */
const REOPENABLE_POLL_MS = 10_000;
/** A server that does not answer is not helped by being asked every second. */
const UNREACHABLE_POLL_MS = 3_000;

/** What the page knows of the charge: a status, or why it has none. */
export type Knowledge = PaymentPageStatus | 'loading' | 'unknown' | 'unreachable';

/**
 * When to ask again, in milliseconds; false: never, nothing can change any more.
 * @param lastAskFailed the newest request brought nothing, though an older one may have.
 */
export function pollInterval(knowledge: Knowledge, lastAskFailed: boolean): number | false {
  const interval = INTERVAL_OF[knowledge];
  return interval !== false && lastAskFailed ? Math.max(interval, UNREACHABLE_POLL_MS) : interval;
}

const INTERVAL_OF: Record<Knowledge, number | false> = {
  loading: PENDING_POLL_MS,
  unreachable: UNREACHABLE_POLL_MS,
  pending: PENDING_POLL_MS,
  detected: DETECTED_POLL_MS,
  underpaid: REOPENABLE_POLL_MS,
  expired: REOPENABLE_POLL_MS,
  review: REOPENABLE_POLL_MS,
  paid: false,
  overpaid: false,
  cancelled: false,
  failed: false,
  unknown: false,
};
