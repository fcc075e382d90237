import { describe, expect, it } from 'vitest';
import type { TransactionDetailView } from '#contract/transaction-detail.ts';
import { moneyLines } from './money-of.ts';

type Transaction = TransactionDetailView['transaction'];

const transaction = (facts: Partial<Transaction>) =>
  ({
    type: 'pix_in',
    amount: 100.5,
    amount_fees: 1.11,
    net_amount: 99.39,
    split: null,
    crypto: null,
    refunded_amount: 0,
    ...facts,
  }) as Transaction;

/** In centavos: the lines above the total, and the total. */
function sums(facts: Partial<Transaction>): [number, number] {
  const lines = moneyLines(transaction(facts));
  const end = lines.findIndex(({ total }) => total);
  const centavos = (reais: number) => Math.round(reais * 100);
  return [
    lines.slice(0, end).reduce((sum, { reais }) => sum + centavos(reais), 0),
    centavos(lines[end]?.reais ?? Number.NaN),
  ];
}

const crypto = (net: number, fees: number) =>
  ({ credited_net_amount: net, credited_fees: fees }) as Transaction['crypto'];

describe('the lines of a transaction’s money', () => {
  it.each<[string, Partial<Transaction>]>([
    ['a charge', {}],
    ['a charge that was divided', { net_amount: 49.39, split: { account_id: 'x', amount: 50 } }],
    ['a charge of which a part was given back', { refunded_amount: 20 }],
    ['a PIX withdrawal, whose fee is on top', { type: 'pix_out', amount: 50, amount_fees: 0.9, net_amount: 50 }],
    [
      'a crypto withdrawal, whose fee is inside',
      { type: 'crypto_out', amount: 100, amount_fees: 1.5, net_amount: 98.5 },
    ],
    [
      'an invoice that waits',
      { type: 'crypto_in', amount: 250, amount_fees: 3.75, net_amount: 246.25, crypto: crypto(0, 0) },
    ],
    [
      'an invoice that was paid with less',
      { type: 'crypto_in', amount: 250, amount_fees: 3.75, net_amount: 246.25, crypto: crypto(98.52, 1.48) },
    ],
  ])('of %s add up to its total', (_, facts) => {
    const [lines, total] = sums(facts);
    expect(lines).toBe(total);
  });

  it('of an invoice tell what has arrived, once something is credited', () => {
    const [first] = moneyLines(transaction({ type: 'crypto_in', amount: 250, crypto: crypto(98.52, 1.48) }));
    expect(first).toEqual({ name: 'credited', reais: 100 });
  });

  it('of a withdrawal have the sign of money that leaves', () => {
    const lines = moneyLines(transaction({ type: 'pix_out', amount: 50, amount_fees: 0.9, net_amount: 50 }));
    expect(lines.map(({ reais }) => reais)).toEqual([-50, -0.9, -50.9]);
  });
});
