import { describe, expect, it } from 'vitest';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { moneyLines, shownAmount } from './money-of.ts';

type Transaction = TransactionDetailView['transaction'];
type Settled = Transaction['settled'];

const NOTHING: Settled = { gross: 0, fees: 0, split: 0, refunded: 0, net: 0 };
const settled = (figures: Partial<Settled>): Settled => ({ ...NOTHING, ...figures });

const transaction = (fields: Partial<Transaction>) =>
  ({
    type: 'pix_in',
    status: 'pending',
    amount: 100.5,
    amount_fees: 1.11,
    net_amount: 99.39,
    split: null,
    settled: NOTHING,
    ...fields,
  }) as Transaction;

const CHARGE: Partial<Transaction> = { status: 'paid', settled: settled({ gross: 100.5, fees: 1.11, net: 99.39 }) };
const WITHDRAWAL: Partial<Transaction> = { type: 'pix_out', amount: 50, amount_fees: 0.9, net_amount: 50 };
const CRYPTO_OUT: Partial<Transaction> = { type: 'crypto_out', amount: 100, amount_fees: 1.5, net_amount: 98.5 };
const INVOICE: Partial<Transaction> = { type: 'crypto_in', amount: 960, amount_fees: 14.4, net_amount: 945.6 };

/** What a page shows of a transaction, of which the ledger has these kinds of postings. */
const detail = (fields: Partial<Transaction>, ...posted: string[]) =>
  ({ transaction: transaction(fields), ledger: posted.map((kind) => ({ kind })) }) as TransactionDetailView;

/** Returns, in centavos, the sum of the lines above the total, and the total. */
function sums(fields: Partial<Transaction>): [number, number] {
  const lines = moneyLines(detail(fields));
  const end = lines.findIndex(({ total }) => total);
  const centavos = (reais: number) => Math.round(reais * 100);
  return [
    lines.slice(0, end).reduce((sum, { reais }) => sum + centavos(reais), 0),
    centavos(lines[end]?.reais ?? Number.NaN),
  ];
}

const names = (fields: Partial<Transaction>, ...posted: string[]) =>
  moneyLines(detail(fields, ...posted)).map(({ name }) => name);

describe('the lines of a transaction’s money', () => {
  it.each<[string, Partial<Transaction>]>([
    ['a charge that waits', {}],
    ['a charge that is paid', CHARGE],
    ['a charge that waits and will be divided', { net_amount: 49.39, split: { account_id: 'x', amount: 50 } }],
    [
      'a charge that was divided',
      { status: 'paid', settled: settled({ gross: 100.5, fees: 1.11, split: 50, net: 49.39 }) },
    ],
    [
      'a charge of which a part was given back',
      { status: 'paid', settled: settled({ gross: 100.5, fees: 1.11, refunded: 20, net: 79.39 }) },
    ],
    ['a PIX withdrawal that is under way, whose fee is on top', WITHDRAWAL],
    [
      'a PIX withdrawal',
      { ...WITHDRAWAL, status: 'completed', settled: settled({ gross: -50, fees: 0.9, net: -50.9 }) },
    ],
    ['a crypto withdrawal that is under way, whose fee is inside', CRYPTO_OUT],
    ['an invoice that waits', INVOICE],
    ['an invoice that was paid with more', { ...INVOICE, settled: settled({ gross: 1200, fees: 18, net: 1182 }) }],
  ])('of %s add up to its total', (_, fields) => {
    const [lines, total] = sums(fields);
    expect(lines).toBe(total);
  });

  it('of an invoice are what was credited, once something is', () => {
    const fields: Partial<Transaction> = { ...INVOICE, settled: settled({ gross: 1200, fees: 18, net: 1182 }) };
    expect(moneyLines(detail(fields))[0]).toEqual({ name: 'credited', reais: 1200 });
    expect(shownAmount(transaction(fields))).toBe(1200);
    expect(shownAmount(transaction(INVOICE))).toBe(960);
  });

  it('of a withdrawal have the sign of money that leaves, and stay what they were once it is sent', () => {
    const lines = moneyLines(detail(CRYPTO_OUT));
    expect(lines.map(({ reais }) => reais)).toEqual([-98.5, -1.5, -100]);
    const done = detail({
      ...CRYPTO_OUT,
      status: 'completed',
      settled: settled({ gross: -98.5, fees: 1.5, net: -100 }),
    });
    expect(moneyLines(done).map(({ reais }) => reais)).toEqual([-98.5, -1.5, -100]);
    expect(shownAmount(done.transaction)).toBe(shownAmount(transaction(CRYPTO_OUT)));
  });

  it('of what came to nothing know no fee and no net', () => {
    for (const status of ['expired', 'cancelled', 'failed', 'review'] as const)
      expect(names({ status })).toEqual(['asked']);
    expect(names({ ...WITHDRAWAL, status: 'failed' })).toEqual(['asked']);
  });

  it('of what may still be paid call fee and net expected', () => {
    expect(names({})).toEqual(['asked', 'expectedFee', 'expectedNet']);
    expect(names(WITHDRAWAL, 'withdrawal_requested')).toEqual(['toSend', 'expectedFee', 'held']);
  });

  it('of a withdrawal that waits for its date call held only what is', () => {
    for (const sub_status of ['scheduled', 'pending_approval']) {
      const planned = { ...WITHDRAWAL, sub_status, scheduled_for: '2026-12-01T11:00:00.000Z' };
      expect(names(planned).at(-1)).toBe('willBeDebited');
      expect(names(planned, 'withdrawal_requested').at(-1)).toBe('held');
    }
  });
});
