/** The states of each type of transaction and the changes between them that are legal. */
export type TransactionType = 'pix_in' | 'pix_out' | 'crypto_in' | 'crypto_out';
export type ChargeStatus = 'pending' | 'paid' | 'expired' | 'cancelled' | 'failed' | 'review' | 'refunded';

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

/** Whether a charge may go from one state to the other. */
export const mayBecome = (from: ChargeStatus, to: ChargeStatus): boolean => CHARGE_TRANSITIONS[from].includes(to);
