import { type MoneyDetail, type MoneyLine, moneyLines } from './money-of.ts';

/**
 * Whom a receipt is for: the other side of a payment, whom our fee does not concern, or the
 * merchant.
 */
export const RECEIPT_READERS = ['other', 'merchant'] as const;
export type ReceiptReader = (typeof RECEIPT_READERS)[number];

/** What the other side may know: what they paid or got, and what went back to them. */
const SHOWN_TO_OTHERS: readonly MoneyLine['name'][] = ['charged', 'credited', 'sent', 'toSend', 'refunded'];

/**
 * Returns the money of a receipt. For the other side it is without fee, split and net, and without
 * the sign of money that leaves the merchant.
 */
export function receiptLines(detail: MoneyDetail, reader: ReceiptReader): readonly MoneyLine[] {
  const lines = moneyLines(detail);
  if (reader === 'merchant') return lines;
  return lines
    .filter(({ name }) => SHOWN_TO_OTHERS.includes(name))
    .map((line) => (line.name === 'sent' || line.name === 'toSend' ? { ...line, reais: -line.reais } : line));
}
