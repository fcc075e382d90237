import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Role } from '#domain/members/roles.ts';
import { LONE_OWNER_DELAY_MS } from '#domain/withdrawals/thresholds.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { addMemberOf } from '../testing/add-member.ts';
import { fund, NOW, openTestAccount, type TestAccount } from '../testing/ledger-fixture.ts';
import { newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { approveThreshold, findThreshold, setThreshold } from './thresholds.ts';

const ALONE_FROM = new Date(NOW.getTime() + LONE_OWNER_DELAY_MS);
const BEFORE = new Date(ALONE_FROM.getTime() - 1);
const AT_ONCE = 10;

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let owner: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: 6 });
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  await fund(db.pool, account, 100_000n);
  owner = await newMember('owner');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a first threshold and a lower one apply at once; the same one changes nothing', async () => {
  expect(await set(5_000n)).toMatchObject({ outcome: 'set', before: null });
  expect(await set(5_000n)).toMatchObject({ outcome: 'unchanged' });
  expect(await set(0n)).toMatchObject({ outcome: 'set', before: 5_000n });
  expect(await current()).toEqual({ centavos: 0n, proposal: null });
  expect(await waits(1n)).toBe(true);
});

test('a higher threshold, and none, wait for another owner, who approves exactly that amount', async () => {
  const second = await newMember('owner');
  await set(5_000n);
  for (const wanted of [8_000n, null]) {
    const { centavos: before } = await current();
    expect(await set(wanted)).toMatchObject({ outcome: 'proposed', appliesFrom: null });
    expect(await current()).toMatchObject({ centavos: before, proposal: { centavos: wanted, appliesFrom: null } });
    // However long nobody approves it.
    expect(await current(ALONE_FROM)).toMatchObject({ centavos: before });
    expect(await approve(wanted, owner)).toMatchObject({ outcome: 'own' });
    expect(await approve(1n, second)).toMatchObject({ outcome: 'changed' });
    const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => approve(wanted, second)));
    expect(outcomes.filter(({ outcome }) => outcome === 'approved')).toHaveLength(1);
    expect(await current()).toEqual({ centavos: wanted, proposal: null });
  }
  expect(await waits(90_000n)).toBe(false);
});

test('where there is no other owner, a higher threshold applies a day later and not before', async () => {
  await newMember('finance');
  await set(5_000n);
  expect(await set(8_000n)).toMatchObject({ outcome: 'proposed', appliesFrom: ALONE_FROM });
  expect(await waits(6_000n, BEFORE)).toBe(true);
  expect(await waits(6_000n, ALONE_FROM)).toBe(false);
  expect(await current(ALONE_FROM)).toEqual({ centavos: 8_000n, proposal: null });
  // From then on it is the one that others are compared with.
  expect(await set(7_000n, ALONE_FROM)).toMatchObject({ outcome: 'set', before: 8_000n });
});

test('a proposal ends when a lower threshold is set, or the one that applies', async () => {
  await set(5_000n);
  for (const instead of [5_000n, 4_000n]) {
    await set(9_000n);
    expect(await set(instead)).toMatchObject({ outcome: 'set' });
    expect(await current(ALONE_FROM)).toEqual({ centavos: instead, proposal: null });
    expect(await approve(9_000n, await newMember('owner'))).toMatchObject({ outcome: 'none' });
  }
});

const newMember = (role: Role) => addMemberOf(db.pool, account.id, { role });

const of = () => ({ accountId: account.id, kind: 'approval' as const });
const set = (centavos: bigint | null, now = NOW) =>
  setThreshold(db.pool, { ...of(), memberId: owner, centavos, aloneFrom: ALONE_FROM, now }, noted);
const approve = (centavos: bigint | null, memberId: string) =>
  approveThreshold(db.pool, { ...of(), memberId, centavos, now: NOW }, noted);
const current = (now = NOW) => findThreshold(db.pool, { ...of(), now });
const noted = () => ({
  ...{ merchantId: null, memberId: null, accountId: account.id, action: 'approval_threshold.set', details: {} },
  ...{ ipAddress: null, userAgent: null, at: NOW },
});

/** Whether a withdrawal of this amount waits for a second person. */
async function waits(amountCentavos: bigint, now = NOW): Promise<boolean> {
  const outcome = await withdrawalChanges(db.pool).request(newPixOut(account, { amountCentavos, now }));
  expect(['requested', 'pending_approval']).toContain(outcome);
  return outcome === 'pending_approval';
}
