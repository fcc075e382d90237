import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import {
  connectOwn,
  fundOver,
  NOW,
  newEndToEndId,
  openTestAccount,
  type TestAccount,
} from '../testing/ledger-fixture.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  chargeForeignPayout,
  type ForeignPayoutOutcome,
  findForeignPayout,
  recordForeignPayout,
  writeOffForeignPayout,
} from './foreign-payouts.ts';

/**
 * A withdrawal is completed by a payment that its PSP had listed before, over earlier credentials
 * of the same account: so after a restore.
 */

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let rail: string;
let payout: { id: string; endToEndId: string };
let withdrawals: ReturnType<typeof withdrawalChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 2 });
  withdrawals = withdrawalChanges(db.pool);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  const earlier = await connectOwn(db.pool, account);
  rail = await connectOwn(db.pool, account);
  payout = { id: uuidv7(NOW), endToEndId: newEndToEndId() };
  await fundOver(db.pool, account, rail, 200n);
  const listed = { ...payout, rail: earlier, mode: 'live' as const, accountId: account.id, centavos: 60n };
  expect(await recordForeignPayout(db.pool, { ...listed, sentAt: NOW, createdAt: NOW })).toBe(true);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const BY = { name: 'ana', memberId: null, ipAddress: null, userAgent: null };
const decision = () => ({ id: payout.id, reason: 'known', by: BY, now: NOW });
const sent = () => withdrawals.sent({ ...newPixOut(account, { amountCentavos: 60n }), rail });
const charge = (): Promise<ForeignPayoutOutcome> => {
  const event = { eventId: uuidv7(NOW), eventType: 'pix_out.paid', eventBody: '{}' };
  return chargeForeignPayout(db.pool, {
    ...decision(),
    ...event,
    transactionId: uuidv7(NOW),
    toAccountId: account.id,
  });
};

/** What the platform has of each kind, in centavos. */
async function platform(): Promise<Record<string, bigint>> {
  const { rows } = await db.pool.query<{ kind: string; centavos: bigint }>(
    `SELECT a.kind::text, sum(e.amount_centavos)::bigint AS centavos
     FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
     WHERE a.account_id IS NULL AND a.mode = 'live' GROUP BY a.kind`,
  );
  return Object.fromEntries(rows.map(({ kind, centavos }) => [kind, centavos]));
}

test('a withdrawal that is completed by a payment which waits takes it out of suspense, and decides about it', async () => {
  const before = await platform();
  const id = await sent();
  expect(await withdrawals.complete(id, { endToEndId: payout.endToEndId })).toBe('pending');
  expect(await findForeignPayout(db.pool, payout.id)).toMatchObject({ state: 'charged', transactionId: id });
  expect(await platform()).toEqual({ ...before, suspense: (before.suspense ?? 0n) + 60n });
  expect(await charge()).toBe('decided');
  await expectSound(db.pool);
});

test('a withdrawal that is completed by a payment which was written off gives the loss back, and leaves the settlement alone', async () => {
  expect(await writeOffForeignPayout(db.pool, decision())).toBe('written_off');
  const before = await platform();
  expect(await withdrawals.complete(await sent(), { endToEndId: payout.endToEndId })).toBe('pending');
  expect(await platform()).toEqual({ ...before, write_offs: (before.write_offs ?? 0n) + 60n });
  await expectSound(db.pool);
});

test('a withdrawal is not completed by a payment which its account was charged for over other credentials', async () => {
  expect(await charge()).toBe('charged');
  const id = await sent();
  await expectUnchanged(db.pool, () =>
    expect(withdrawals.complete(id, { endToEndId: payout.endToEndId })).rejects.toMatchObject({ code: '23505' }),
  );
  await expectSound(db.pool);
});
