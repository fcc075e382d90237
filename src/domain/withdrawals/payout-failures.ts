/**
 * The provider contradicts how the payout had ended (settle-payout.ts): the payout is in review,
 * and nothing of it came back to the balance.
 */
export const CONTRADICTIONS = ['provider_says_failed', 'provider_says_paid', 'provider_says_completed'] as const;

/**
 * Why a payout failed; the catalogue of texts has the words for each code. Codes of four capitals
 * and digits are those of the central bank's SPI (ISO 20022's, as PSPs pass them on: OpenPix,
 * "error codes of payments"); the others are ours, for what no network has a code for.
 */
export const PAYOUT_FAILURES = [
  'AB03',
  'AC03',
  'AC06',
  'AC07',
  'AG03',
  'AM02',
  'AM04',
  'BE01',
  'CH11',
  'DS04',
  'DUPL',
  'ED05',
  'FRAD',
  'RR04',
  /** The crypto processor does not send to this address. */
  'wallet_refused',
  /** The directory of PIX keys (DICT) has no such key. */
  'key_not_found',
  'provider_refused',
  /** The provider, asked long enough afterwards, knows no such payout. */
  'provider_lost',
  /** The account was suspended, or its merchant rejected, before the payout was sent. */
  'account_stopped',
  /** A second person declined it. */
  'approval_declined',
  /** It was not approved in time. */
  'approval_expired',
  /**
   * Failures of a scheduled payout when it was to begin: too little money, four times; the key has
   * another owner by now; no worker and no provider on its day; and the reasons for which any
   * withdrawal is rejected.
   */
  'insufficient_balance',
  'owner_changed',
  'schedule_missed',
  'not_a_payee',
  'daily_limit_reached',
  'night_limit_reached',
  'below_minimum',
  'above_maximum',
  /** The transaction was sent and did not come through. */
  'network_failed',
  ...CONTRADICTIONS,
] as const;

export type PayoutFailure = (typeof PAYOUT_FAILURES)[number];

/** Returns whether we have words for a provider's code. */
export const isPayoutFailure = (code: string): code is PayoutFailure =>
  (PAYOUT_FAILURES as readonly string[]).includes(code);

/** Returns whether a payout with this code is in review, not failed. */
export const isContradiction = (code: PayoutFailure): boolean => (CONTRADICTIONS as readonly string[]).includes(code);
