import type { PaymentPageStatus } from './payment-status.ts';

/** Of these nothing changes any more that a payer sees. */
const FINAL = new Set<PaymentPageStatus>(['paid', 'overpaid', 'cancelled', 'failed']);

/**
 * Whether a payment page has nothing left to wait for. Apart from the shapes of the wire, so that
 * the page need not load zod.
 */
export const isFinalPayment = (status: PaymentPageStatus): boolean => FINAL.has(status);
