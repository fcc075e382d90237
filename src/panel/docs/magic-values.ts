/**
 * What the sandbox can be told by a merchant's own request, and by an operator: the page's copy, for the page may not import the
 * sandbox. The test beside it says when the two differ.
 */
export const MAGIC_CENTS = {
  pixChargeCents: { '01': 'paid', '02': 'never_paid', '04': 'paid_out_of_order' },
  pixPayoutCents: { '11': 'done', '12': 'refused', '13': 'rejected', '14': 'silent_done', '15': 'silent_lost' },
  depositCents: { '21': 'confirmed', '22': 'underpaid', '23': 'overpaid', '24': 'paid_late' },
  withdrawalCents: { '31': 'done', '32': 'refused', '33': 'silent_done', '34': 'silent_lost' },
} as const;

export const UNKNOWN_PIX_KEY = '00000000191';

/** The first value is the default. */
export const SANDBOX_SWITCHES = {
  'pix.charge': ['ok', 'error', 'timeout', 'refused'],
  'pix.query': ['ok', 'error', 'timeout'],
  'pix.callback': ['once', 'twice', 'never', 'delayed', 'forged', 'reordered', 'failing'],
  'pix.payout': ['done', 'refused', 'rejected', 'silent_done', 'silent_lost'],
  'pix.refund': ['done', 'refused', 'rejected', 'silent_done', 'silent_lost'],
  'crypto.invoice': ['ok', 'error', 'timeout'],
  'crypto.callback': ['once', 'twice', 'never', 'forged'],
  'crypto.payout': ['done', 'refused', 'silent_done', 'silent_lost'],
  'crypto.white_label': ['on', 'off'],
  quotes: ['ok', 'down', 'diverging', 'stale'],
} as const;
