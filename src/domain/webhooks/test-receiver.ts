/**
 * The built-in receiver of webhooks: what a test account without a public URL sends its events to.
 * They arrive at a server of our own by the same way as at any other, and its members see what
 * arrived.
 */

/**
 * In the place of an endpoint's URL. Nobody can type it (its scheme is not http), and where it
 * leads only the installation knows: the address holds the account's own token.
 */
export const TEST_RECEIVER_URL = 'trilho:test-receiver';

/** A page's worth: whoever needs older ones finds them among the deliveries. */
export const RECEIVED_KEPT_MAX = 20;
/** Longer than anybody takes to look at what they have just sent. */
export const RECEIVED_KEPT_MS = 7 * 24 * 60 * 60_000;
/** Far above any event of ours. */
export const RECEIVED_BYTES_MAX = 64 * 1024;
/**
 * Of one account, in each process: a person who tries things out. What comes beyond it is told to
 * come again.
 */
export const RECEIVED_A_MINUTE_MAX = 120;

/** The headers that are shown. The rest belong to whatever stands between the worker and us. */
export const RECEIVED_HEADERS = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const;
