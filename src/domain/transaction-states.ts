/** The states of each type of transaction and the changes between them that are legal. */
export type TransactionType = 'pix_in' | 'pix_out' | 'crypto_in' | 'crypto_out';
export const TRANSACTION_TYPES: readonly TransactionType[] = ['pix_in', 'pix_out', 'crypto_in', 'crypto_out'];

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
export type WithdrawalStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'review';
export type InvoiceStatus = 'pending' | 'completed' | 'expired' | 'cancelled' | 'failed';

/**
 * A charge. Every end without money can still become `paid` or `review`: the PSP may confirm a payment that was made in the
 * last second, and money that arrived is never lost. `review`: money arrived that can't be credited as asked.
 */
export const CHARGE_TRANSITIONS: Record<ChargeStatus, readonly ChargeStatus[]> = {
  pending: ['paid', 'expired', 'cancelled', 'failed', 'review'],
  expired: ['paid', 'review'],
  cancelled: ['paid', 'review'],
  failed: ['paid', 'review'],
  review: ['paid'],
  paid: ['refunded'],
  refunded: [],
};

/**
 * A withdrawal. Its two ends are final for the money; `review` is for an operator, when a provider contradicts what it said before.
 */
export const WITHDRAWAL_TRANSITIONS: Record<WithdrawalStatus, readonly WithdrawalStatus[]> = {
  pending: ['processing', 'completed', 'failed'],
  processing: ['completed', 'failed'],
  completed: ['review'],
  failed: ['review'],
  review: [],
};

/** An invoice. As with charges, every end without money becomes `completed` when money arrives all the same. */
export const INVOICE_TRANSITIONS: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  pending: ['completed', 'expired', 'cancelled', 'failed'],
  completed: [],
  expired: ['completed'],
  cancelled: ['completed'],
  failed: ['completed'],
};

/** Whether a charge may go from one state to the other. */
export const mayBecome = (from: ChargeStatus, to: ChargeStatus): boolean => CHARGE_TRANSITIONS[from].includes(to);
