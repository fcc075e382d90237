import type { TransactionType } from '../transactions/transaction-states.ts';

/**
 * How the sandbox is controlled: by magic values in a merchant's own test requests, and by an
 * operator's switches. The sandbox implements them; the documentation and the panel show them.
 */

/**
 * The last two digits of an amount choose a transaction's outcome, the same in every installation;
 * they win over the switches. The amount is that of a PIX charge, what a PIX payout's receiver
 * gets, or what crypto is worth in reais at the sandbox's prices.
 */
export const MAGIC_CENTS = {
  /**
   * - `paid`: the simulator pays it by itself, seconds after it was created.
   * - `never_paid`: it can't be paid, and stays pending until it expires.
   * - `paid_out_of_order`: paid as above; its callback comes twice, the second time after the next
   *   payment's callback.
   */
  pixChargeCents: { '01': 'paid', '02': 'never_paid', '04': 'paid_out_of_order' },
  /**
   * What happens to a charge once it is paid, by the central bank's return mechanism.
   *
   * - `contested`: a case is opened, and decided as its answer says; without an answer it is lost.
   * - `lost`: a case is opened and lost without waiting for an answer, and all goes back.
   * - `lost_in_part`: as `lost`, but half of it goes back.
   * - `cancelled`: the case is withdrawn.
   * - `returned`: all goes back, without a case.
   */
  pixDisputeCents: { '51': 'contested', '52': 'lost', '53': 'lost_in_part', '54': 'cancelled', '55': 'returned' },
  /** The value of the switch `pix.payout` that each of them means. */
  pixPayoutCents: { '11': 'done', '12': 'refused', '13': 'rejected', '14': 'silent_done', '15': 'silent_lost' },
  /**
   * What happens to the receiver's key before a scheduled payout begins.
   *
   * - `changed_hands`: from the day after, it belongs to somebody else.
   */
  pixKeyCents: { '16': 'changed_hands' },
  /**
   * - `confirmed`: paid in full, with all its confirmations.
   * - `underpaid`: half of it is paid, then it expires.
   * - `overpaid`: twice as much is paid.
   * - `paid_late`: it expires, then it is paid in full.
   */
  depositCents: { '21': 'confirmed', '22': 'underpaid', '23': 'overpaid', '24': 'paid_late' },
  /** The value of the switch `crypto.payout` that each of them means. */
  withdrawalCents: { '31': 'done', '32': 'refused', '33': 'silent_done', '34': 'silent_lost' },
} as const;

export type MagicTable = keyof typeof MAGIC_CENTS;

/** The type of transaction whose outcome each of these tables chooses. */
export const MAGIC_TRANSACTION_TYPES = {
  pixChargeCents: 'pix_in',
  pixDisputeCents: 'pix_in',
  pixPayoutCents: 'pix_out',
  pixKeyCents: 'pix_out',
  depositCents: 'crypto_in',
  withdrawalCents: 'crypto_out',
} as const satisfies Record<MagicTable, TransactionType>;

/**
 * A PIX key that the directory does not know. Its check digits are right, so that only the
 * directory can say so.
 */
export const UNKNOWN_PIX_KEY = '00000000191';

/** The switches and their values; the first value of each is its default. */
export const SANDBOX_SWITCHES = {
  'pix.charge': ['ok', 'error', 'timeout', 'refused'],
  'pix.query': ['ok', 'error', 'timeout'],
  // What happens at the PSP right after a charge is paid, without a callback: the payment goes back
  // in the PSP's own application or by the central bank's return mechanism, or as much again is
  // paid to the key without a charge, or as much is sent to somebody in that application.
  'pix.psp_acts': ['none', 'refund_in_app', 'med_return', 'pay_key', 'send_in_app'],
  'pix.callback': ['once', 'twice', 'never', 'delayed', 'forged', 'reordered', 'failing'],
  // refused: accepted, then not carried out; rejected: at once; silent: no answer, carried
  // out or not.
  'pix.payout': ['done', 'refused', 'rejected', 'silent_done', 'silent_lost'],
  'pix.refund': ['done', 'refused', 'rejected', 'silent_done', 'silent_lost'],
  // What happens to a receiver's answer to a case of the return mechanism.
  'pix.defence': ['done', 'rejected', 'silent_done', 'silent_lost'],
  'crypto.invoice': ['ok', 'error', 'timeout'],
  'crypto.callback': ['once', 'twice', 'never', 'forged'],
  // What happens at the processor right after a payment, without a callback: as much is paid to an
  // invoice that was made in its own application, or is sent from there.
  'crypto.processor_acts': ['none', 'pay_elsewhere', 'send_elsewhere'],
  // refused: at once; silent: no answer, carried out or not.
  'crypto.payout': ['done', 'refused', 'silent_done', 'silent_lost'],
  // off: answers leave out wallets and amounts.
  'crypto.white_label': ['on', 'off'],
  quotes: ['ok', 'down', 'diverging', 'stale'],
} as const;
