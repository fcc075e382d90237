import { expect, test } from 'vitest';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { type BookComparison, compareBooks } from './compare-books.ts';
import { judge } from './drill.ts';
import type { JournalEntry } from './journal.ts';
import type { Books } from './read-books.ts';

const id = (number: number) => `01a1f8f5-c9a4-7b21-8c52-${String(number).padStart(12, '0')}`;
const [CHARGE, WITHDRAWAL, CRYPTO, INVOICE, REFUND] = [1, 2, 3, 4, 5].map(id) as [
  string,
  string,
  string,
  string,
  string,
];
const ACCOUNT = id(9);

const entry = (key: string, kind: JournalEntry['kind'], made: string, centavos: number): JournalEntry => ({
  key,
  kind,
  accountId: ACCOUNT,
  centavos,
  requests: 1,
  ids: [made],
  isRejected: false,
});

/** Books in which nothing is wrong; `plant` makes one thing wrong. */
function compared(plant: (of: { journal: JournalEntry[]; books: Books }) => void = () => {}): BookComparison {
  const own = { accountId: ACCOUNT, providerId: null, credits: 0 };
  const journal = [
    entry('k1', 'charge', CHARGE, 700),
    entry('k2', 'withdrawal', WITHDRAWAL, 300),
    entry('k3', 'crypto_withdrawal', CRYPTO, 2_000),
    entry('k4', 'invoice', INVOICE, 5_000),
    entry('k5', 'refund', REFUND, 100),
  ];
  const books: Books = {
    own: {
      transactions: [
        { ...own, id: CHARGE, type: 'pix_in', status: 'paid', centavos: 700, credits: 1 },
        { ...own, id: WITHDRAWAL, type: 'pix_out', status: 'paid', centavos: 300 },
        { ...own, id: CRYPTO, type: 'crypto_out', status: 'completed', centavos: 2_000, providerId: 'p1' },
        { ...own, id: INVOICE, type: 'crypto_in', status: 'completed', centavos: 5_000, providerId: 'i1' },
      ],
      refunds: [{ id: REFUND, accountId: ACCOUNT, status: 'completed', centavos: 100 }],
      atPspCentavos: 300,
      events: [
        { id: 'evt_1', type: 'pix_in.paid', transactionId: CHARGE },
        { id: 'evt_0', type: 'pix_in.failed', transactionId: id(8) },
      ],
    },
    provider: {
      payments: [{ txid: uuidToTxid(CHARGE), centavos: 700 }],
      payouts: [{ txid: uuidToTxid(WITHDRAWAL), status: 'REALIZADO', centavos: 300 }],
      refunds: [{ txid: uuidToTxid(REFUND), status: 'DEVOLVIDO', centavos: 100 }],
      fullyPaidInvoices: [INVOICE],
      cryptoPayouts: ['p1'],
    },
    received: new Map([['evt_1', { id: 'evt_1', type: 'pix_in.paid', transactionId: CHARGE }]]),
  };
  plant({ journal, books });
  return compareBooks(journal, books);
}

const row = ({ books }: { books: Books }, wanted: string) =>
  books.own.transactions.find((one) => one.id === wanted) as Books['own']['transactions'][number];
/**
 * Removes the last operation at the PSP, also from the sum in our books, so that the single
 * difference is left.
 */
const lost = ({ books }: { books: Books }, theirs: { centavos: number }[], sign = 1) => {
  books.own.atPspCentavos -= sign * (theirs.pop()?.centavos ?? 0);
};
const without = <T extends { id: string }>(rows: T[], gone: string) =>
  rows.splice(
    rows.findIndex((one) => one.id === gone),
    1,
  );

test('books that agree have nothing missing, double or different, and every acknowledged id is counted', () => {
  expect(compared()).toEqual({ acknowledged: 5, present: 5, missing: [], double: [], different: [] });
});

test.each<[string, keyof BookComparison, (of: { journal: JournalEntry[]; books: Books }) => void]>([
  ['an acknowledged withdrawal that does not exist', 'missing', (of) => without(of.books.own.transactions, WITHDRAWAL)],
  ['an acknowledged refund that does not exist', 'missing', (of) => without(of.books.own.refunds, REFUND)],
  [
    'a centavo more in the ledger than at the PSP',
    'different',
    (of) => Object.assign(of.books.own, { atPspCentavos: 301 }),
  ],
  ['a payment that was not credited', 'missing', (of) => Object.assign(row(of, CHARGE), { credits: 0 })],
  ['an invoice that was paid and is open', 'missing', (of) => Object.assign(row(of, INVOICE), { status: 'pending' })],
  ['an event that was never delivered', 'missing', ({ books }) => (books.received as Map<string, unknown>).clear()],
  ['a charge that was credited twice', 'double', (of) => Object.assign(row(of, CHARGE), { credits: 2 })],
  ['one key that was acknowledged as two', 'double', ({ journal }) => journal[0]?.ids.push(WITHDRAWAL)],
  [
    'a transaction without an acknowledged request',
    'double',
    (of) => of.books.own.transactions.push({ ...row(of, CHARGE), id: id(7), status: 'pending', credits: 0 }),
  ],
  ['a crypto payout that was executed twice', 'double', ({ books }) => books.provider.cryptoPayouts.push('p2')],
  [
    'one change that was sent as two events',
    'double',
    ({ books }) =>
      (books.received as Map<string, unknown>).set('evt_2', {
        id: 'evt_2',
        type: 'pix_in.paid',
        transactionId: CHARGE,
      }),
  ],
  [
    'a request whose outcome nobody knows',
    'different',
    ({ journal }) => journal.push({ ...entry('k6', 'charge', CHARGE, 1), ids: [] }),
  ],
  ['an id with another amount', 'different', (of) => Object.assign(row(of, CHARGE), { centavos: 701 })],
  ['a credit that nobody paid for', 'different', (of) => lost(of, of.books.provider.payments)],
  [
    'a payout that was executed and failed here',
    'different',
    (of) => Object.assign(row(of, WITHDRAWAL), { status: 'failed' }),
  ],
  ['a payout that is done here and was not executed', 'different', (of) => lost(of, of.books.provider.payouts, -1)],
  ['a refund that is done here and was not executed', 'different', (of) => lost(of, of.books.provider.refunds, -1)],
  ['a crypto payout that was never executed', 'different', ({ books }) => books.provider.cryptoPayouts.pop()],
])('the comparison of the books finds %s', (_, where, plant) => {
  const comparison = compared(plant);
  expect(comparison[where]).toHaveLength(1);
  expect(judge({ faults: new Map([['web', 1]]), comparison })).not.toEqual([]);
});

test('a drill in which nothing was injected, or no request acknowledged, fails', () => {
  const comparison = compared();
  expect(judge({ faults: new Map([['web', 1]]), comparison })).toEqual([]);
  expect(judge({ faults: new Map(), comparison })).toEqual(['nothing was injected']);
  expect(judge({ faults: new Map([['web', 1]]), comparison: { ...comparison, acknowledged: 0 } })).toEqual([
    'no request was acknowledged',
  ]);
});
