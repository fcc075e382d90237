import type { InvoiceSubStatus } from '../invoices/invoice-settlement.ts';
import type { WithdrawalSubStatus } from '../withdrawals/approvals.ts';
import type { ListedType, TransactionStatus } from './transaction-states.ts';

/**
 * Further states of a crypto invoice and of a withdrawal, which are shown instead of the status.
 */
export const SUB_STATUSES = [
  'pending_approval',
  'scheduled',
  'partial',
  'detected',
  'underpaid',
  'overpaid',
  'late',
  'paid_again',
] as const satisfies (InvoiceSubStatus | WithdrawalSubStatus)[];

/**
 * The states of a transaction in the panel, its files and their filters; each has one text on a
 * badge.
 */
export const DISPLAY_STATUSES = [
  'pending',
  'pending_approval',
  'scheduled',
  'partial',
  'detected',
  'processing',
  'paid',
  'underpaid',
  'overpaid',
  'late',
  'paid_again',
  'partially_refunded',
  'refunded',
  'completed',
  'expired',
  'cancelled',
  'failed',
  'review',
] as const;
export type DisplayStatus = (typeof DISPLAY_STATUSES)[number];

/**
 * Returns the state of a transaction that is shown. `isPartlyRefunded`: a part, but not all of it,
 * went back to the payer.
 */
export function displayStatusOf(transaction: {
  type: ListedType;
  status: TransactionStatus;
  subStatus: string | null;
  isPartlyRefunded: boolean;
}): DisplayStatus {
  const { type, status, subStatus, isPartlyRefunded } = transaction;
  const special = SUB_STATUSES.find((known) => known === subStatus);
  if (special) return special;
  if (type === 'crypto_in' && status === 'completed') return 'paid';
  return type === 'pix_in' && status === 'paid' && isPartlyRefunded ? 'partially_refunded' : status;
}

/** The name of the text for one transaction's state: a withdrawal that is `paid` has its own. */
export type StatusTextName = DisplayStatus | 'withdrawal_paid';

export function statusTextName(transaction: Parameters<typeof displayStatusOf>[0]): StatusTextName {
  const shown = displayStatusOf(transaction);
  const isWithdrawal = transaction.type === 'pix_out' || transaction.type === 'crypto_out';
  return isWithdrawal && shown === 'paid' ? 'withdrawal_paid' : shown;
}
