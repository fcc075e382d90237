import type { PaymentPageStatus } from './payment-status.ts';

/** In these statuses nothing changes any more that a payer sees. */
const FINAL = new Set<PaymentPageStatus>(['paid', 'overpaid', 'cancelled', 'failed']);

/**
 * Returns whether a payment page has nothing left to wait for. In a file of its own, so that the
 * page need not load zod.
 */
export const isFinalPayment = (status: PaymentPageStatus): boolean => FINAL.has(status);
