import type { TransactionType } from '../transactions/transaction-states.ts';

/** The three balances of an account. */
export const STATEMENT_BALANCES = ['available', 'pending', 'blocked'] as const;
export type StatementBalance = (typeof STATEMENT_BALANCES)[number];

/** The kinds of entries of a statement. */
export const ENTRY_NAMES = [
  'pix_received',
  'split_received',
  'crypto_received',
  'crypto_seen',
  'crypto_released',
  'crypto_unseen',
  'pix_withdrawal_requested',
  'pix_withdrawal_paid',
  'pix_withdrawal_failed',
  'crypto_withdrawal_requested',
  'crypto_withdrawal_completed',
  'crypto_withdrawal_failed',
  'refund_requested',
  'refund_completed',
  'refund_failed',
  'foreign_refund',
  'withdrawal_returned',
  'withdrawal_recovered',
  'foreign_payout_charged',
  'review_credited',
  'dispute',
  'dispute_released',
  'other',
] as const;
export type EntryName = (typeof ENTRY_NAMES)[number];

export type EntrySource = {
  /** The transfer's kind. */
  kind: string;
  transactionType: TransactionType;
  balance: StatementBalance;
  centavos: bigint;
  /**
   * Whether the transaction is the account's own; `false`: the account has a share of another's.
   */
  isOwn: boolean;
  /** Whether the transfer also brought the account available money. */
  creditsAvailable: boolean;
};

/** Returns what an entry is, by its transfer and its balance. */
export function entryNameOf({
  kind,
  transactionType,
  balance,
  centavos,
  isOwn,
  creditsAvailable,
}: EntrySource): EntryName {
  const rail = transactionType === 'crypto_out' ? 'crypto' : 'pix';
  switch (kind) {
    case 'charge_paid':
      return isOwn ? 'pix_received' : 'split_received';
    case 'crypto_received':
      if (balance === 'available') return 'crypto_received';
      if (centavos > 0n) return 'crypto_seen';
      // What was seen and never became final (a payment that the chain dropped) leaves without
      // being credited.
      return creditsAvailable ? 'crypto_released' : 'crypto_unseen';
    case 'withdrawal_completed':
      return rail === 'pix' ? 'pix_withdrawal_paid' : 'crypto_withdrawal_completed';
    case 'withdrawal_requested':
    case 'withdrawal_failed':
      return `${rail}_${kind}`;
    case 'refund_requested':
    case 'refund_completed':
    case 'refund_failed':
    case 'foreign_refund':
    case 'withdrawal_returned':
    case 'withdrawal_recovered':
    case 'foreign_payout_charged':
    case 'review_credited':
    case 'dispute':
    case 'dispute_released':
      return kind;
    default:
      return 'other';
  }
}
