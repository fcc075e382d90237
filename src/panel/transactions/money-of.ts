import type { TransactionDetailView } from '#contract/transaction-detail.ts';

type LineName = 'charged' | 'asked' | 'credited' | 'sent' | 'debited' | 'fee' | 'split' | 'net' | 'refunded';

/** One line of a sum; `total`: what stands above it comes to this. */
export type MoneyLine = { name: LineName; reais: number; total?: true };

/**
 * How a transaction's amount comes to what it leaves in, or takes from, the account: gross, fee and split, net; each line with its sign,
 * so that they add up to the total.
 */
export function moneyLines(transaction: TransactionDetailView['transaction']): MoneyLine[] {
  const { type, amount, amount_fees: fees, net_amount: net, split, crypto, refunded_amount: refunded } = transaction;
  const fee = (reais: number): MoneyLine => ({ name: 'fee', reais: -reais });
  switch (type) {
    case 'pix_in':
      return [
        { name: 'charged', reais: amount },
        fee(fees),
        ...(split ? [{ name: 'split', reais: -split.amount } as const] : []),
        { name: 'net', reais: net, total: true },
        ...(refunded > 0 ? [{ name: 'refunded', reais: -refunded } as const] : []),
      ];
    case 'pix_out':
      return [
        { name: 'sent', reais: -amount },
        fee(fees),
        { name: 'debited', reais: -inCents(amount + fees), total: true },
      ];
    case 'crypto_out':
      return [{ name: 'sent', reais: -net }, fee(fees), { name: 'debited', reais: -amount, total: true }];
    case 'crypto_in': {
      const credited = crypto ? inCents(crypto.credited_net_amount + crypto.credited_fees) : 0;
      // Before anything is credited, what was asked for; then what has arrived, which may be another amount.
      if (!crypto || credited === 0) {
        return [{ name: 'asked', reais: amount }, fee(fees), { name: 'net', reais: net, total: true }];
      }
      return [
        { name: 'credited', reais: credited },
        fee(crypto.credited_fees),
        { name: 'net', reais: crypto.credited_net_amount, total: true },
      ];
    }
  }
}

/** A sum of two amounts in reais has no more decimals than they. */
const inCents = (reais: number) => Math.round(reais * 100) / 100;
