/**
 * The built-in receiver of webhooks, for a test account without a public URL. Events arrive at a
 * server of our own in the same way as at any other, and the account's members see what arrived.
 */

/**
 * Replaces an endpoint's URL. It can't be entered by a member (its scheme is not http), and only
 * the installation can resolve it: the address contains the account's own token.
 */
export const TEST_RECEIVER_URL = 'trilho:test-receiver';

/** One page: older ones are among the deliveries. */
export const RECEIVED_KEPT_MAX = 20;
/** Longer than a member needs to check what they have just sent. */
export const RECEIVED_KEPT_MS = 7 * 24 * 60 * 60_000;
/** Far above the size of any event. */
export const RECEIVED_BYTES_MAX = 64 * 1024;
/**
 * For one account, in each process: enough for a person who tries things out. Further messages are
 * rejected with a time to retry.
 */
export const RECEIVED_A_MINUTE_MAX = 120;

/** The headers that are shown. The rest were added by proxies on the way. */
export const RECEIVED_HEADERS = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const;
