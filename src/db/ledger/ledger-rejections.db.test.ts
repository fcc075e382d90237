import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../connection/database.ts';
import { fund, insertTransaction, NOW, openTestAccount, type TestAccount } from '../testing/ledger-fixture.ts';
import { POSTINGS, type Posting, postingsOf } from '../testing/ledger-model.ts';
import { expectUnchanged } from '../testing/ledger-state.ts';
import { postAny } from '../testing/post-any.ts';
import { post, postCryptoReceived, postPart, postPartEnd } from '../testing/postings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

/** The largest bigint: the end of every balance. */
const CENTAVOS_MAX = 2n ** 63n - 1n;

let database: TestDatabase;
let db: Database;
let account: TestAccount;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  await fund(db.pool, account, 1_000n);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a split between live and test money is rejected as a whole', async () => {
  const receiver = await openTestAccount(db.pool, 'test');
  const split = { account: receiver, centavos: 40n };
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n, split });
  await expectRejected(() => post(db.pool, 'charge_paid', id, NOW), 'TR002');
});

test('a posting for an account without a ledger is rejected as a whole', async () => {
  const receiver = await openTestAccount(db.pool, 'live');
  await db.pool.query('ALTER TABLE ledger_accounts DISABLE TRIGGER ledger_accounts_fixed');
  await db.pool.query('DELETE FROM ledger_accounts WHERE account_id = $1', [receiver.id]);
  await db.pool.query('ALTER TABLE ledger_accounts ENABLE TRIGGER ledger_accounts_fixed');
  const split = { account: receiver, centavos: 40n };
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n, split });
  await expectRejected(() => post(db.pool, 'charge_paid', id, NOW), '23502');
});

test.each(['pix_in', 'pix_out', 'crypto_in', 'crypto_out'] as const)(
  'a posting of another type never fits a %s',
  async (type) => {
    const { id } = await insertTransaction(db.pool, { account, type, amountCentavos: 100n });
    const strays = POSTINGS.filter((posting) => !postingsOf(type).includes(posting));
    expect(strays.length).toBeGreaterThan(0);
    for (const posting of strays) await expectRejected(() => postSomething(posting, id), 'TR003');
  },
);

test('a posting of a transaction that does not exist is rejected', async () => {
  for (const posting of POSTINGS) {
    await expectRejected(() => postSomething(posting, '00000000-0000-7000-8000-000000000000'), 'TR003');
  }
});

test.each([
  ['null', null],
  ['zero', 0n],
  ['negative', -1n],
  ['above the charge', 1_001n],
  ['the largest bigint', CENTAVOS_MAX],
])('a refund or dispute of an amount that is %s is rejected and changes nothing', async (_, centavos) => {
  const charge = await fund(db.pool, account, 1_000n);
  await postPart(db.pool, 'refund_requested', { transactionId: charge.id, reference: 'first', centavos: 1n, now: NOW });
  for (const posting of ['refund_requested', 'dispute'] as const) {
    const part = { transactionId: charge.id, reference: 'second', centavos: centavos as bigint, now: NOW };
    await expectRejected(() => postPart(db.pool, posting, part), 'TR005');
  }
});

test('the whole of a charge can be given back, in a refund and a dispute, and not a centavo more', async () => {
  const { id } = await fund(db.pool, account, 100n);
  const part = { transactionId: id, reference: 'rest', now: NOW };
  expect(await postPart(db.pool, 'refund_requested', { ...part, centavos: 60n })).toBe(true);
  await expectRejected(() => postPart(db.pool, 'dispute', { ...part, centavos: 41n }), 'TR005');
  expect(await postPart(db.pool, 'dispute', { ...part, centavos: 40n })).toBe(true);
  await expectRejected(
    () => postPart(db.pool, 'refund_requested', { ...part, reference: 'more', centavos: 1n }),
    'TR005',
  );
});

test.each([null, 0n, -1n])('money of %s centavos does not go to suspense', async (centavos) => {
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n });
  const part = { transactionId: id, reference: 'E1', centavos: centavos as bigint, now: NOW };
  await expectRejected(() => postPart(db.pool, 'suspense', part), 'TR005');
});

test('a reference that was used is not taken for another amount', async () => {
  const charge = await fund(db.pool, account, 100n);
  for (const posting of ['suspense', 'refund_requested', 'dispute'] as const) {
    const part = { transactionId: charge.id, reference: 'once', centavos: 10n, now: NOW };
    expect(await postPart(db.pool, posting, part)).toBe(true);
    expect(await postPart(db.pool, posting, part)).toBe(false);
    const other = { ...part, centavos: 11n };
    await expectRejected(() => postPart(db.pool, posting, other), 'TR005');
  }
});

test('a refund that failed does not count: the same amount can be refunded again', async () => {
  const { id } = await fund(db.pool, account, 100n);
  const part = { transactionId: id, centavos: 100n, now: NOW };
  expect(await postPart(db.pool, 'refund_requested', { ...part, reference: 'first' })).toBe(true);
  await expectRejected(() => postPart(db.pool, 'refund_requested', { ...part, reference: 'second' }), 'TR005');
  expect(await postPartEnd(db.pool, 'refund_failed', { ...part, reference: 'first' })).toBe(true);
  expect(await postPart(db.pool, 'refund_requested', { ...part, reference: 'second' })).toBe(true);
});

test('a refund ends once, and only where it began', async () => {
  const { id } = await fund(db.pool, account, 100n);
  const ends = ['refund_completed', 'refund_failed'] as const;
  for (const [n, end] of ends.entries()) {
    const part = { transactionId: id, reference: end, now: NOW };
    await expectRejected(() => postPartEnd(db.pool, end, part), 'TR004');
    await postPart(db.pool, 'refund_requested', { ...part, centavos: 10n });
    expect(await postPartEnd(db.pool, end, part)).toBe(true);
    expect(await postPartEnd(db.pool, end, part)).toBe(false);
    await expectRejected(() => postPartEnd(db.pool, ends[1 - n] as 'refund_failed', part), 'TR004');
  }
});

test.each([
  ['nothing pending', { pendingCentavos: null }],
  ['less than nothing pending', { pendingCentavos: -1n }],
  ['nothing credited', { netCentavos: null }],
  ['less credited than before', { netCentavos: 49n }],
  ['no fee', { feeCentavos: null }],
  ['a smaller fee than before', { feeCentavos: 1n }],
])('what a deposit has received does not become %s', async (_, change) => {
  const { id } = await insertTransaction(db.pool, { account, type: 'crypto_in', amountCentavos: 100n });
  const stands = { transactionId: id, pendingCentavos: 10n, netCentavos: 50n, feeCentavos: 2n, now: NOW };
  expect(await postCryptoReceived(db.pool, stands)).toBe(true);
  await expectRejected(() => postCryptoReceived(db.pool, { ...stands, ...change } as never), 'TR005');
  expect(await postCryptoReceived(db.pool, stands)).toBe(false);
});

test('a balance at the end of what a bigint holds rejects one centavo more, and keeps what it has', async () => {
  const rich = await openTestAccount(db.pool, 'live');
  await fund(db.pool, rich, CENTAVOS_MAX);
  const { id } = await insertTransaction(db.pool, { account: rich, amountCentavos: 1n });
  await expectRejected(() => post(db.pool, 'charge_paid', id, NOW), '22003');
});

const postSomething = (posting: Posting, id: string): Promise<boolean> =>
  postAny(db.pool, {
    transaction: { id },
    posting,
    reference: 'r',
    centavos: 1n,
    received: { pending: 1n, net: 1n, fee: 1n },
  });

const expectRejected = (rejection: () => Promise<unknown>, code: string): Promise<void> =>
  expectUnchanged(db.pool, () => expect(rejection()).rejects.toMatchObject({ code }));
