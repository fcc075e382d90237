import { type DisputeState, isOpenDispute } from '#domain/disputes/dispute-states.ts';
import { type StatusTextName, statusTextName } from '#domain/transactions/display-status.ts';
import type { ListedType, TransactionStatus } from '#domain/transactions/transaction-states.ts';
import type { Messages } from '#messages/messages.ts';
import type { Tone } from '#panel/shell/status-badge.tsx';

type StatusHint = keyof Messages['panel']['transactions']['hints'];

/** The fields of a transaction by which its status is shown. */
export type StatusFields = {
  type: ListedType;
  status: TransactionStatus;
  sub_status?: string | null;
  /** In reais: the part of what was paid that went back. */
  refunded_amount?: number;
  /** ISO 8601; with it a pending charge says how long it can still be paid. */
  expires_at?: string | null;
  /** ISO 8601; of a scheduled withdrawal. */
  scheduled_for?: string | null;
  /** Of the newest case about it, where its payer has contested it. */
  dispute_state?: DisputeState | null;
};

const TONES: Record<StatusTextName, Tone> = {
  pending: 'wait',
  pending_approval: 'wait',
  scheduled: 'wait',
  partial: 'wait',
  detected: 'wait',
  processing: 'wait',
  paid: 'ok',
  withdrawal_paid: 'ok',
  underpaid: 'warn',
  overpaid: 'ok',
  late: 'ok',
  paid_again: 'warn',
  partially_refunded: 'ok',
  refunded: 'neutral',
  completed: 'ok',
  expired: 'neutral',
  cancelled: 'neutral',
  failed: 'bad',
  review: 'warn',
};

/** Whether transactions of a type take money out of the account. */
export const isMoneyOut = (type: ListedType): boolean => type === 'pix_out' || type === 'crypto_out';

/**
 * Returns the tone, the word and the hint of a status. `isContested`: an open case is about it, so
 * its amount is held. `msLeft`: until it expires, where it does.
 */
export function statusStyle(
  transaction: StatusFields,
  msLeft?: number | null,
): { tone: Tone; word: StatusTextName; isContested: boolean; hint: StatusHint } {
  const { type, status, sub_status: subStatus = null, refunded_amount: refunded = 0 } = transaction;
  const word = statusTextName({ type, status, subStatus, isPartlyRefunded: refunded > 0 });
  const isContested = transaction.dispute_state ? isOpenDispute(transaction.dispute_state) : false;
  // Its other hints say that the money is in the balance, which is wrong while it is held.
  if (isContested) return { tone: 'warn', word, isContested, hint: 'contested' };
  // Of a withdrawal on a later date nothing has to be held yet.
  const isLater = word === 'pending_approval' && Boolean(transaction.scheduled_for);
  return { tone: TONES[word], word, isContested, hint: isLater ? 'approval_scheduled' : hintOf(type, word, msLeft) };
}

function hintOf(type: ListedType, word: StatusTextName, msLeft: number | null | undefined): StatusHint {
  if (isMoneyOut(type) && word === 'pending') return 'sending';
  if (isMoneyOut(type) && word === 'failed') return 'failed_withdrawal';
  if (isMoneyOut(type) && word === 'cancelled') return 'cancelled_withdrawal';
  if (type === 'crypto_in' && word === 'paid') return 'invoice_paid';
  if (word === 'pending' && typeof msLeft === 'number') return msLeft > 0 ? 'expires' : 'expiring';
  return word;
}

/**
 * A time span in minutes up to 90, in hours up to 48, else in days. Minutes are rounded up and at
 * least 1, so that it never says nothing is left while something is; hours and days are rounded to
 * the nearest.
 */
export function roughly(ms: number): { unit: 'minutes' | 'hours' | 'days'; count: number } {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes <= 90) return { unit: 'minutes', count: minutes };
  const hours = Math.round(minutes / 60);
  return hours <= 48 ? { unit: 'hours', count: hours } : { unit: 'days', count: Math.round(hours / 24) };
}
