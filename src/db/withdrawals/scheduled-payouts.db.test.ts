import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { askDuring } from '../testing/ask-during.ts';
import { fund, NOW, openTestAccount, RAIL, type TestAccount } from '../testing/ledger-fixture.ts';
import { expectSound } from '../testing/ledger-state.ts';
import { BY_DAY, NO_ACTOR, newPixOut, PIX_DESTINATION, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { beginScheduledPayout, endScheduledPayout, type PlannedPayout, schedulePayout } from './scheduled-payouts.ts';

let database: TestDatabase;
let db: Database;
let account: TestAccount;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: 4 });
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  await fund(db.pool, account, 100n);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a scheduled payout that begins while it is being cancelled is not cancelled', async () => {
  const id = await scheduled();
  const cancelled = await askDuring(
    db.pool,
    (session) => begin(id, session),
    () => cancel(id),
  );
  expect(cancelled).toBe('started');
  const { status, transfers, tasks } = await look(id);
  expect([status, transfers]).toEqual(['pending', ['withdrawal_requested']]);
  expect(tasks).toContain('payout');
  await expectSound(db.pool);
});

test('a scheduled payout that is cancelled leaves the tasks of others', async () => {
  const [id, other] = [await scheduled(), await scheduled()];
  expect(await cancel(id)).toBe('ended');
  expect((await look(other)).tasks).toEqual(['scheduled_payout']);
});

test('a scheduled payout that is cancelled while it begins does not begin', async () => {
  const id = await scheduled();
  const begun = await askDuring(
    db.pool,
    (session) => cancel(id, session),
    () => begin(id),
  );
  expect(begun.outcome).toBe('not_due');
  expect(await look(id)).toMatchObject({ status: 'cancelled', transfers: [], tasks: [] });
  await expectSound(db.pool);
});

test('the next payout of a schedule holds its money and fee where there is enough, and is planned where there is not', async () => {
  await fund(db.pool, account, 60n + 64n - 100n);
  for (const [feeCentavos, transfers] of [
    [4n, ['withdrawal_requested']],
    [1n, []],
  ] as const) {
    const first = newPixOut(account, { amountCentavos: 60n });
    expect(await schedule(first)).toBe('scheduled');
    const withdrawal = newPixOut(account, { amountCentavos: 60n, feeCentavos });
    const next = { ...planned(withdrawal), scheduleId: first.id, number: 2, reserve: true, repeat: WEEKLY };
    expect(await begin(first.id, db.pool, next)).toMatchObject({ outcome: 'requested' });
    expect(await look(withdrawal.id)).toMatchObject({ status: 'pending', transfers, tasks: ['scheduled_payout'] });
    // What the next two take, but for the fee.
    await fund(db.pool, account, 60n + 60n);
  }
  await expectSound(db.pool);
});

test('an assistant schedules nothing: the day of which its cap is has not come', async () => {
  const keyId = uuidv7(NOW);
  await db.pool.query(
    `INSERT INTO api_keys (id, account_id, name, hash, prefix, permissions, call_cap_centavos, day_cap_centavos, created_at)
     VALUES ($1, $2, 'assistant', $3, 'pgw', '{mcp:use,mcp:withdraw}', 100, 100, $4)`,
    [keyId, account.id, Buffer.from(keyId), NOW],
  );
  expect(await schedule(newPixOut(account, { amountCentavos: 60n }), keyId)).toBe('key_day_cap');
});

const look = (id: string) => withdrawalChanges(db.pool).look(id);

/** A payout whose time has come. */
async function scheduled(): Promise<string> {
  const withdrawal = newPixOut(account, { amountCentavos: 60n });
  expect(await schedule(withdrawal)).toBe('scheduled');
  return withdrawal.id;
}

const WEEKLY = { every: 'week', count: 2, until: null } as const;

function planned(withdrawal: ReturnType<typeof newPixOut>): PlannedPayout {
  const terms = { scheduleId: withdrawal.id, firstOn: '2026-11-21', repeat: null, reserve: false } as const;
  const plan = { withdrawal, receiver: null, number: 1, scheduledFor: NOW, beginsUntil: NOW };
  return { ...terms, ...plan, ifMissed: 'fail' };
}

const schedule = (withdrawal: ReturnType<typeof newPixOut>, keyId: string | null = null) =>
  schedulePayout(db.pool, planned(withdrawal), { ...NO_ACTOR, keyId }, NOW, null);

const begin = (id: string, pool = db.pool, next: PlannedPayout | null = null) =>
  beginScheduledPayout(pool, {
    ...{ id, feeCentavos: 0n, rail: RAIL, periods: BY_DAY, destination: PIX_DESTINATION, next, now: NOW },
  });

const cancel = (id: string, pool = db.pool) =>
  endScheduledPayout(pool, {
    ...{ id, accountId: account.id, to: 'cancelled', failureCode: null, next: null, now: NOW, audit: null },
    ...{ eventId: uuidv7(NOW), eventType: 'pix_out.cancelled', eventBody: '{}' },
  });
