import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { INVOICE_TRANSITIONS, type InvoiceStatus } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { findBalances } from '../ledger/ledger.ts';
import { creditInvoiceReview, writeOffReview } from '../reviews/reviews.ts';
import { insertTransaction, NOW, openTestAccount, type TestAccount, unitsOf } from '../testing/ledger-fixture.ts';
import { credited, invoiceChanges, seen } from '../testing/ledger-invoices.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { failInvoice } from './invoices.ts';

/** Real sessions, so that the locks are real; other test files share the server's connections. */
const CONNECTIONS = 16;
const AT_ONCE = 50;
const ANA = { name: 'ana', memberId: null, ipAddress: null, userAgent: null };

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let id: string;
let invoices: ReturnType<typeof invoiceChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: CONNECTIONS });
  invoices = invoiceChanges(db.pool);
});
/** Every test has an invoice of 100, with a fee of 2. */
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  id = await newInvoice();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a crypto payment that is seen is pending, follows the network down and up, and is credited once it is final', async () => {
  expect(await invoices.bring(id, seen({ arrived: 100n, pending: 98n }))).toBe(true);
  expect(await balances()).toEqual({ pending: 98n, available: 0n });
  expect(await invoices.bring(id, seen({ arrived: 0n }))).toBe(true);
  expect(await balances()).toEqual({ pending: 0n, available: 0n });
  expect(await invoices.bring(id, seen({ arrived: 100n, pending: 98n }))).toBe(true);
  expect(await balances()).toEqual({ pending: 98n, available: 0n });
  expect(await invoices.bring(id, credited({ arrived: 100n, fee: 2n }))).toBe(true);
  expect(await balances()).toEqual({ pending: 0n, available: 98n });
  expect(await invoices.look(id)).toEqual({
    status: 'completed',
    subStatus: null,
    receivedUnits: unitsOf(100n),
    creditedCentavos: 100n,
    creditedFeeCentavos: 2n,
    transfers: 4,
    events: ['crypto_in.completed', 'crypto_in.detected', 'crypto_in.detected'],
  });
  await expectSound(db.pool);
});

test('a crypto payment of less than was asked for is credited as it is', async () => {
  await invoices.bring(id, credited({ arrived: 60n, fee: 2n }, 'underpaid', 'underpaid'));
  expect(await balances()).toEqual({ pending: 0n, available: 58n });
  expect(await invoices.look(id)).toMatchObject({ status: 'completed', subStatus: 'underpaid', creditedCentavos: 60n });
  await expectSound(db.pool);
});

test('a crypto payment of more than was asked for is credited as it is, and what comes after the end is added', async () => {
  await invoices.bring(id, credited({ arrived: 150n, fee: 2n }, 'overpaid', 'overpaid'));
  expect(await balances()).toEqual({ pending: 0n, available: 148n });
  await invoices.bring(id, credited({ arrived: 250n, fee: 5n }, 'paid_again', 'overpaid'));
  expect(await balances()).toEqual({ pending: 0n, available: 245n });
  expect(await invoices.look(id)).toMatchObject({ creditedCentavos: 250n, creditedFeeCentavos: 5n, transfers: 2 });
  await expectSound(db.pool);
});

test('the part of a crypto payment that may not be credited waits in suspense with a review, each increment once', async () => {
  await invoices.bring(id, credited({ arrived: 150n, fee: 2n, reviewed: 30n }, 'overpaid', 'overpaid'));
  const invoice = await invoices.find(id);
  const again = credited({ arrived: 190n, fee: 2n, reviewed: 70n }, 'paid_again', 'overpaid');
  const settled = await Promise.all(atOnce(() => invoices.settle(invoice, again)));
  expect(settled.filter(Boolean)).toHaveLength(1);
  expect(await balances()).toEqual({ pending: 0n, available: 118n });
  expect(await reviews()).toEqual([
    { reason: 'above_maximum', expected: 100n, received: 30n, reference: '0', suspended: 30n },
    { reason: 'above_maximum', expected: 100n, received: 40n, reference: '150000000', suspended: 40n },
  ]);
  await expectSound(db.pool);
});

test('a step that was decided before an operator decided about a review does nothing', async () => {
  await invoices.bring(id, credited({ arrived: 150n, fee: 2n, reviewed: 30n }, 'overpaid', 'overpaid'));
  const before = await invoices.find(id);
  const { rows } = await db.pool.query('SELECT id FROM reviews WHERE transaction_id = $1', [id]);
  const decision = { id: rows[0].id, leftCentavos: 30n, reason: 'agreed', by: ANA, now: NOW };
  expect(await writeOffReview(db.pool, decision)).toBe('written_off');
  const again = credited({ arrived: 190n, fee: 2n, reviewed: 70n }, 'paid_again', 'overpaid');
  // Its event would say that what was written off still waits.
  expect(await invoices.settle(before, again)).toBe(false);
  expect(await invoices.bring(id, again)).toBe(true);
  await expectSound(db.pool);
});

test('what an invoice has in review is credited once, with a fee that is in it, by who sees all of both', async () => {
  await invoices.bring(id, credited({ arrived: 150n, fee: 2n, reviewed: 30n }, 'overpaid', 'overpaid'));
  const { rows } = await db.pool.query<{ id: string }>('SELECT id FROM reviews WHERE transaction_id = $1', [id]);
  const before = { creditedCentavos: 120n, feesCentavos: 2n, decidedCentavos: 0n, settledUnits: unitsOf(150n) };
  const credit = (change: Partial<Parameters<typeof creditInvoiceReview>[1]> = {}) =>
    creditInvoiceReview(db.pool, {
      ...{ id: rows[0]?.id ?? '', leftCentavos: 30n, feeCentavos: 1n, reason: 'agreed', by: ANA, now: NOW, before },
      ...{ subStatus: 'overpaid', eventId: uuidv7(NOW), eventType: 'crypto_in.overpaid', eventBody: '{}' },
      ...change,
    });
  await expectUnchanged(db.pool, async () => {
    expect(await credit({ leftCentavos: 29n })).toBe('decided');
    expect(await credit({ before: { ...before, decidedCentavos: 30n } })).toBe('changed');
    for (const feeCentavos of [-1n, 31n])
      await expect(credit({ feeCentavos })).rejects.toMatchObject({ code: 'TR005' });
  });
  expect(await credit()).toBe('credited');
  expect(await balances()).toEqual({ pending: 0n, available: 147n });
  const after = { ...before, creditedCentavos: 150n, feesCentavos: 3n, decidedCentavos: 30n };
  await expectUnchanged(db.pool, async () => expect(await credit({ before: after })).toBe('decided'));
  await expectSound(db.pool);
});

test('totals of an invoice that differ from the sum of its priced increments are rejected', async () => {
  await invoices.bring(id, credited({ arrived: 60n, fee: 2n }, 'underpaid', 'underpaid'));
  const invoice = await invoices.find(id);
  const step = { ...credited({ arrived: 60n, fee: 2n, net: 98n }), increments: [] };
  await expectUnchanged(db.pool, async () => {
    await expect(invoices.settle(invoice, step)).rejects.toMatchObject({ code: 'TR005' });
    const reviewed = { ...credited({ arrived: 60n, fee: 2n, net: 58n }), reviewedCentavos: 5n };
    await expect(invoices.settle(invoice, reviewed)).rejects.toMatchObject({ code: 'TR005' });
  });
});

test.each(['expired', 'cancelled', 'failed'] as const)(
  'an invoice that is %s is credited when it is paid all the same',
  async (end) => {
    expect(await invoices.bring(id, { ...seen({ arrived: 0n }), status: end, event: end })).toBe(true);
    expect(await invoices.bring(id, credited({ arrived: 100n, fee: 2n }, 'late'))).toBe(true);
    expect(await balances()).toEqual({ pending: 0n, available: 98n });
    await expectSound(db.pool);
  },
);

test('an invoice that many sessions settle at once is credited once, with one event', async () => {
  for (const step of [seen({ arrived: 100n, pending: 98n }), credited({ arrived: 100n, fee: 2n })]) {
    const invoice = await invoices.find(id);
    const settled = await Promise.all(atOnce(() => invoices.settle(invoice, step)));
    expect(settled.filter(Boolean)).toHaveLength(1);
  }
  expect(await balances()).toEqual({ pending: 0n, available: 98n });
  expect(await invoices.look(id)).toMatchObject({
    transfers: 2,
    events: ['crypto_in.completed', 'crypto_in.detected'],
  });
  await expectSound(db.pool);
});

test('a payment that comes after the end, seen first and final later, is credited once, with one event', async () => {
  await invoices.bring(id, credited({ arrived: 60n, fee: 2n }, 'underpaid', 'underpaid'));
  const waiting = {
    ...seen({ arrived: 100n, pending: 40n, net: 58n, fee: 2n }),
    status: 'completed',
    event: null,
  } as const;
  await invoices.bring(id, { ...waiting, subStatus: 'underpaid' });
  expect(await balances()).toEqual({ pending: 40n, available: 58n });

  // Status, sub-status and what was received stay as they are: only what is credited changes.
  const invoice = await invoices.find(id);
  const final = credited({ arrived: 100n, fee: 2n }, 'underpaid', 'underpaid');
  const settled = await Promise.all(atOnce(() => invoices.settle(invoice, final)));
  expect(settled.filter(Boolean)).toHaveLength(1);
  // A caller with the state before it is late, not wrong.
  expect(await invoices.settle(invoice, { ...waiting, subStatus: 'underpaid', confirmations: 1 })).toBe(false);
  expect(await balances()).toEqual({ pending: 0n, available: 98n });
  expect(await invoices.look(id)).toMatchObject({ transfers: 3, events: { length: 2 } });
  await expectSound(db.pool);
});

test('of different states of an invoice that are settled at once, one is accepted', async () => {
  const steps = [
    seen({ arrived: 40n }),
    seen({ arrived: 100n, pending: 98n }),
    credited({ arrived: 100n, fee: 2n }),
    credited({ arrived: 60n, fee: 2n }, 'underpaid', 'underpaid'),
  ];
  const invoice = await invoices.find(id);
  const settled = await Promise.all(steps.map((step) => invoices.settle(invoice, step)));
  expect(settled.filter(Boolean)).toHaveLength(1);
  expect((await invoices.look(id)).transfers).toBe(1);
  await expectSound(db.pool);
});

test('settling an invoice from an outdated state does nothing', async () => {
  const before = await invoices.find(id);
  await invoices.bring(id, seen({ arrived: 40n }));
  await expectUnchanged(db.pool, async () => {
    expect(await invoices.settle(before, credited({ arrived: 100n, fee: 2n }))).toBe(false);
    const now = await invoices.find(id);
    for (const other of [
      { status: 'expired' },
      { status: null },
      { receivedUnits: 0n },
      { subStatus: null },
    ] as const) {
      expect(await invoices.settle({ ...now, ...other } as never, credited({ arrived: 100n, fee: 2n }))).toBe(false);
    }
  });
});

test('the credit of an invoice never shrinks, nor does its fee', async () => {
  await invoices.bring(id, credited({ arrived: 100n, fee: 2n }));
  await expectUnchanged(db.pool, async () => {
    for (const totals of [{ net: 97n }, { fee: 1n }, { net: 101n, fee: 1n }, { net: 0n, fee: 0n }, { pending: -1n }]) {
      const step = credited({ arrived: 100n, fee: 2n, ...totals }, null, null);
      expect(await rejected(invoices.bring(id, step))).toBe(true);
    }
  });
});

test.each(Object.keys(INVOICE_TRANSITIONS) as InvoiceStatus[])(
  'an invoice that is %s changes as the table of states says, not otherwise',
  async (from) => {
    for (const to of ['pending', 'completed', 'expired', 'cancelled', 'failed', 'paid', 'review'] as const) {
      const one = await newInvoice();
      if (from === 'completed') await invoices.bring(one, credited({ arrived: 100n }));
      else if (from !== 'pending') await invoices.bring(one, { ...seen({ arrived: 0n }), status: from });
      const step = {
        ...(to === 'completed' ? credited({ arrived: 120n }) : seen({ arrived: 0n })),
        status: to as InvoiceStatus,
      };
      if (to === from || INVOICE_TRANSITIONS[from].includes(to as InvoiceStatus)) {
        if (from !== 'completed') expect(await invoices.bring(one, step)).toBe(true);
      } else {
        const totals = from === 'completed' ? { netCentavos: 100n } : {};
        await expectUnchanged(db.pool, () =>
          expect(invoices.bring(one, { ...step, ...totals })).rejects.toMatchObject({ code: 'TR004' }),
        );
      }
    }
    await expectSound(db.pool);
  },
);

test('an error in the middle of a settlement leaves nothing: neither status nor money nor event', async () => {
  await invoices.bring(id, seen({ arrived: 40n }));
  const { rows } = await db.pool.query('SELECT id FROM events WHERE transaction_id = $1', [id]);
  const event = { eventId: rows[0].id, eventType: 'crypto_in.completed', eventBody: '{}' };
  const invoice = await invoices.find(id);
  await expectUnchanged(db.pool, () =>
    expect(invoices.settle(invoice, credited({ arrived: 100n }), event)).rejects.toMatchObject({ code: '23505' }),
  );
});

test('an invoice that the processor did not make fails once, with an event that is not delivered', async () => {
  await db.pool.query('INSERT INTO endpoints (id, account_id, topic, url, created_at) VALUES ($1, $2, $3, $4, $5)', [
    uuidv7(NOW),
    account.id,
    'usdt',
    'https://merchant.example/usdt',
    NOW,
  ]);
  const failed = await Promise.all(atOnce(() => fail(id)));
  expect(failed.filter(Boolean)).toHaveLength(1);
  expect(await invoices.look(id)).toMatchObject({ status: 'failed', transfers: 0, events: ['crypto_in.failed'] });
  expect(await deliveries()).toBe(0);
  // Should it exist after all, its payment is credited and makes an event.
  await invoices.bring(id, credited({ arrived: 100n }, 'late'));
  expect(await balances()).toEqual({ pending: 0n, available: 100n });
  expect(await deliveries()).toBe(1);
  await expectSound(db.pool);
});

test('an invoice that has received something, or has ended, does not fail', async () => {
  const over = await newInvoice();
  await invoices.bring(id, seen({ arrived: 1n }));
  await invoices.bring(over, { ...seen({ arrived: 0n }), status: 'expired' });
  await expectUnchanged(db.pool, async () => {
    expect(await fail(id)).toBe(false);
    expect(await fail(over)).toBe(false);
  });
});

async function newInvoice(): Promise<string> {
  const invoice = { account, type: 'crypto_in' as const, amountCentavos: 100n, feeCentavos: 2n };
  return (await insertTransaction(db.pool, invoice)).id;
}

const fail = (invoice: string) =>
  failInvoice(db.pool, { id: invoice, now: NOW, eventId: uuidv7(NOW), eventBody: '{}' });

/**
 * Whether nothing was settled: from an outdated state, or because of amounts that are not allowed.
 */
const rejected = (settling: Promise<boolean>): Promise<boolean> =>
  settling.then(
    (settled) => !settled,
    (error: { code?: string }) => error.code === 'TR005',
  );

async function balances() {
  const found = await findBalances(db.pool, account.id);
  return { pending: found?.pendingCentavos, available: found?.availableCentavos };
}

async function reviews() {
  const { rows } = await db.pool.query(
    `SELECT r.reason, r.expected_centavos AS expected, r.received_centavos AS received, r.end_to_end_id AS reference,
      (SELECT e.amount_centavos FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE t.transaction_id = r.transaction_id AND t.kind = 'suspense' AND t.reference = r.end_to_end_id
          AND e.ledger_account_id = ledger_platform_account('suspense', 'live')) AS suspended
     FROM reviews r WHERE r.transaction_id = $1 ORDER BY r.received_centavos`,
    [id],
  );
  return rows;
}

async function deliveries(): Promise<number> {
  const { rows } = await db.pool.query(
    `SELECT count(*)::int AS n FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.transaction_id = $1`,
    [id],
  );
  return rows[0].n;
}

const atOnce = <T>(work: () => Promise<T>): Promise<T>[] => Array.from({ length: AT_ONCE }, work);
