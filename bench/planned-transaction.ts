import type { TransactionStatus, TransactionType } from '#domain/transactions/transaction-states.ts';

/** The n-th transaction of a filled account; the same in every run. */
export type PlannedTransaction = {
  type: TransactionType;
  status: TransactionStatus;
  amountCentavos: number;
  /** The part of a paid charge that went back to its payer. */
  refundedCentavos: number;
  createdAt: Date;
};

/** The price that every fifth transaction has. */
export const COMMON_CENTAVOS = 4_990;
/** One transaction alone has this amount: a third of the way through the history. */
export const RARE_CENTAVOS = 12_345_67;

const TYPES_OF_TEN: readonly TransactionType[] = [
  ...Array<TransactionType>(7).fill('pix_in'),
  'crypto_in',
  'pix_out',
  'crypto_out',
];
/** Among this many newest transactions, every third charge is not paid yet. */
const OPEN_MAX = 300;

/** @param n from 1 to `count`, evenly over the time from `start` to `end` */
export function planTransaction(n: number, count: number, start: Date, end: Date): PlannedTransaction {
  const type = TYPES_OF_TEN[n % 10] ?? 'pix_in';
  const turn = Math.floor(n / 10);
  const amountCentavos =
    n === Math.ceil(count / 3) ? RARE_CENTAVOS : n % 5 === 0 ? COMMON_CENTAVOS : 1_000 + ((n * 7_919) % 90_000);
  const createdAt = new Date(start.getTime() + ((end.getTime() - start.getTime()) * n) / count);
  const isOpen = count - n < Math.min(OPEN_MAX, count / 20) && n % 3 === 0;
  const status = statusOf(type, turn, isOpen);
  const isRefundable = type === 'pix_in' && (status === 'paid' || status === 'refunded');
  const refundedCentavos = status === 'refunded' ? amountCentavos : isRefundable && turn % 100 === 3 ? 500 : 0;
  return { type, status, amountCentavos, refundedCentavos, createdAt };
}

/**
 * Most end well. None is in review, and no charge failed: so there are filters that find nothing.
 */
function statusOf(type: TransactionType, turn: number, isOpen: boolean): TransactionStatus {
  if (type === 'pix_out') return turn % 4 === 3 ? 'failed' : 'paid';
  if (type === 'crypto_out') return turn % 4 === 3 ? 'failed' : 'completed';
  if (isOpen) return 'pending';
  if (turn % 7 === 0) return 'expired';
  if (type === 'crypto_in') return 'completed';
  if (turn % 50 === 1) return 'cancelled';
  return turn % 100 === 2 ? 'refunded' : 'paid';
}
