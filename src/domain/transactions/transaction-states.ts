/** The states of each type of transaction and the changes between them that are legal. */
export type TransactionType = 'pix_in' | 'pix_out' | 'crypto_in' | 'crypto_out';
export const TRANSACTION_TYPES: readonly TransactionType[] = ['pix_in', 'pix_out', 'crypto_in', 'crypto_out'];

/**
 * The types in a list: transactions, and the parts of others' charges that an account got
 * (`split_in`, always `paid`). These parts come from no provider of the account's, and have neither
 * fee nor limit.
 */
export const LISTED_TYPES = ['pix_in', 'pix_out', 'crypto_in', 'crypto_out', 'split_in'] as const;
export type ListedType = (typeof LISTED_TYPES)[number];

export const TRANSACTION_STATUSES = [
  'pending',
  'processing',
  'paid',
  'completed',
  'expired',
  'cancelled',
  'failed',
  'review',
  'refunded',
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

export type ChargeStatus = 'pending' | 'paid' | 'expired' | 'cancelled' | 'failed' | 'review' | 'refunded';
/** `cancelled`: it was scheduled, and has not begun. */
export type PixWithdrawalStatus = 'pending' | 'processing' | 'paid' | 'failed' | 'review' | 'cancelled';
/** The network's processor is at work on it while it is `pending`. */
export type CryptoWithdrawalStatus = 'pending' | 'completed' | 'failed' | 'review';
export type WithdrawalStatus = PixWithdrawalStatus | CryptoWithdrawalStatus;
export type InvoiceStatus = 'pending' | 'completed' | 'expired' | 'cancelled' | 'failed';

/**
 * A charge. From every end without money it can still become `paid` or `review`: the PSP may
 * confirm a payment that was made in the last second, and money that arrived is never lost.
 * `review`: money arrived that can't be credited as asked.
 */
export const CHARGE_TRANSITIONS: Record<ChargeStatus, readonly ChargeStatus[]> = {
  pending: ['paid', 'expired', 'cancelled', 'failed', 'review'],
  expired: ['paid', 'review'],
  cancelled: ['paid', 'review'],
  failed: ['paid', 'review'],
  review: ['paid', 'cancelled'],
  paid: ['refunded'],
  refunded: [],
};

/**
 * A withdrawal. Its two ends are final for the money; `review` is for an operator, when a provider
 * contradicts what it said before.
 */
export const PIX_WITHDRAWAL_TRANSITIONS: Record<PixWithdrawalStatus, readonly PixWithdrawalStatus[]> = {
  pending: ['processing', 'paid', 'failed', 'cancelled'],
  processing: ['paid', 'failed'],
  paid: ['review'],
  failed: ['review'],
  review: ['paid', 'failed'],
  cancelled: [],
};
export const CRYPTO_WITHDRAWAL_TRANSITIONS: Record<CryptoWithdrawalStatus, readonly CryptoWithdrawalStatus[]> = {
  pending: ['completed', 'failed'],
  completed: ['review'],
  failed: ['review'],
  review: ['completed', 'failed'],
};

/**
 * An invoice. As with charges, every end without money becomes `completed` when money arrives all
 * the same.
 */
export const INVOICE_TRANSITIONS: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  pending: ['completed', 'expired', 'cancelled', 'failed'],
  completed: [],
  expired: ['completed'],
  cancelled: ['completed'],
  failed: ['completed'],
};

/**
 * The status of a transaction once its money has moved, in the REST contract's words. The database
 * has them in `settled_status`, and lets no transaction have the status of another type.
 */
export const SETTLED_STATUS = {
  pix_in: 'paid',
  pix_out: 'paid',
  crypto_in: 'completed',
  crypto_out: 'completed',
  split_in: 'paid',
} as const satisfies Record<ListedType, TransactionStatus>;

/** Returns whether a withdrawal may go from one state to the other. */
export function mayWithdrawalBecome(
  type: 'pix_out' | 'crypto_out',
  from: WithdrawalStatus,
  to: WithdrawalStatus,
): boolean {
  const transitions: Partial<Record<WithdrawalStatus, readonly WithdrawalStatus[]>> =
    type === 'pix_out' ? PIX_WITHDRAWAL_TRANSITIONS : CRYPTO_WITHDRAWAL_TRANSITIONS;
  return transitions[from]?.includes(to) ?? false;
}

/** Whether a charge may go from one state to the other. */
export const mayBecome = (from: ChargeStatus, to: ChargeStatus): boolean => CHARGE_TRANSITIONS[from].includes(to);
