import type { ListedType, TransactionStatus } from '#domain/transactions/transaction-states.ts';
import type { Messages } from '#panel/messages.ts';

export type StatusTone = 'ok' | 'wait' | 'bad' | 'neutral' | 'warn';
type StatusWord = keyof Messages['panel']['transactions']['statuses'];
type StatusHint = keyof Messages['panel']['transactions']['hints'];

export type StatusStyle = { tone: StatusTone; word: StatusWord; hint: StatusHint };

/** A crypto invoice's further states; others that the server may learn later are shown by the status alone. */
const SUB_STATUSES: Record<string, StatusStyle> = {
  partial: { tone: 'wait', word: 'partial', hint: 'partial' },
  detected: { tone: 'wait', word: 'detected', hint: 'detected' },
  underpaid: { tone: 'warn', word: 'underpaid', hint: 'underpaid' },
  overpaid: { tone: 'ok', word: 'overpaid', hint: 'overpaid' },
  late: { tone: 'ok', word: 'late', hint: 'late' },
  paid_again: { tone: 'warn', word: 'paid_again', hint: 'paid_again' },
};

const STATUSES: Record<TransactionStatus, StatusStyle> = {
  pending: { tone: 'wait', word: 'pending', hint: 'pending' },
  processing: { tone: 'wait', word: 'processing', hint: 'processing' },
  paid: { tone: 'ok', word: 'paid', hint: 'paid' },
  completed: { tone: 'ok', word: 'completed', hint: 'completed' },
  expired: { tone: 'neutral', word: 'expired', hint: 'expired' },
  cancelled: { tone: 'neutral', word: 'cancelled', hint: 'cancelled' },
  failed: { tone: 'bad', word: 'failed', hint: 'failed' },
  review: { tone: 'warn', word: 'review', hint: 'review' },
  refunded: { tone: 'neutral', word: 'refunded', hint: 'refunded' },
};

const PARTIALLY_REFUNDED: StatusStyle = {
  tone: 'ok',
  word: 'partially_refunded',
  hint: 'partially_refunded',
};

/** Whether money leaves the account by it. */
export const isMoneyOut = (type: ListedType): boolean => type === 'pix_out' || type === 'crypto_out';

/** How a status looks, its word and what comes next. `msLeft`: until it expires, where it does. */
export function statusStyle(fields: {
  type: ListedType;
  status: TransactionStatus;
  subStatus?: string | null;
  /** In reais; of what was paid. */
  refundedAmount?: number;
  msLeft?: number | null;
}): StatusStyle {
  const { type, status, subStatus, refundedAmount = 0, msLeft } = fields;
  const special = subStatus ? SUB_STATUSES[subStatus] : undefined;
  if (special) return special;
  if (type === 'pix_in' && status === 'paid' && refundedAmount > 0) return PARTIALLY_REFUNDED;
  const look = STATUSES[status];
  if (isMoneyOut(type)) {
    if (status === 'pending') return { ...look, hint: 'sending' };
    if (status === 'paid') return { ...look, word: 'withdrawal_paid', hint: 'withdrawal_paid' };
    return status === 'failed' ? { ...look, hint: 'failed_withdrawal' } : look;
  }
  if (type === 'crypto_in' && status === 'completed') return { ...look, word: 'invoice_paid', hint: 'invoice_paid' };
  if (status === 'pending' && typeof msLeft === 'number') return { ...look, hint: msLeft > 0 ? 'expires' : 'expiring' };
  return look;
}

/** A time span in its largest whole unit, rounded up so that it never says nothing is left while something is. */
export function roughly(ms: number): { unit: 'minutes' | 'hours' | 'days'; count: number } {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes <= 90) return { unit: 'minutes', count: minutes };
  const hours = Math.round(minutes / 60);
  return hours <= 48 ? { unit: 'hours', count: hours } : { unit: 'days', count: Math.round(hours / 24) };
}
