import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { findBalances } from '../ledger/ledger.ts';
import { askDuring } from '../testing/ask-during.ts';
import { fund, NOW, openTestAccount, type TestAccount } from '../testing/ledger-fixture.ts';
import { newRefund, refundChanges } from '../testing/ledger-refunds.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { addDisputeFile } from './dispute-files.ts';
import { answerDispute, closeDispute, openDispute, remindOfDispute } from './disputes.ts';

const HOUR_MS = 3_600_000;
const ANSWER_BY = new Date(NOW.getTime() + 24 * HOUR_MS);
/** Until when the worker has claimed the reminder. */
const LEASE = new Date(NOW.getTime() + 12 * HOUR_MS);

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let transactionId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 4 });
});
/** Every test has a paid charge of 100. */
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  transactionId = (await fund(db.pool, account, 100n)).id;
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const BY = { name: 'ana', memberId: null, ipAddress: null, userAgent: null };
const event = () => ({ eventId: uuidv7(NOW), eventBody: '{}' });

const open = (providerId: string | null, id = uuidv7(NOW), centavos = 100n) =>
  openDispute(db.pool, {
    ...{ id, transactionId, providerId, reason: 'fraud', centavos, state: 'open', payer: null, by: BY },
    ...{ openedAt: NOW, answerBy: ANSWER_BY, now: NOW, ...event() },
  });

async function opened(providerId: string | null = null): Promise<string> {
  const id = uuidv7(NOW);
  expect(await open(providerId, id)).toBe('opened');
  return id;
}

/** Opens a case whose reminder a worker has claimed. */
async function reminded(): Promise<string> {
  const id = await opened();
  await db.pool.query(`UPDATE tasks SET due_at = $2 WHERE kind = 'dispute_reminder' AND subject_id = $1`, [id, LEASE]);
  return id;
}

const remind = (id: string, next: Date | null, { now = NOW, leaseUntil = LEASE } = {}) =>
  remindOfDispute(db.pool, {
    task: { kind: 'dispute_reminder', subjectId: id, attempts: 1, leaseUntil },
    ...{ next, now, ...event() },
  });

/** When the next reminder is due, and how many events have reminded. */
async function look(id: string) {
  const { rows } = await db.pool.query<{ due: Date[]; events: number }>(
    `SELECT ARRAY(SELECT due_at FROM tasks WHERE kind = 'dispute_reminder' AND subject_id = $1) AS due,
      (SELECT count(*)::int FROM events WHERE transaction_id = $2 AND type = 'dispute.due_soon') AS events`,
    [id, transactionId],
  );
  return rows[0];
}

test('a case that its PSP lists again is known, also once it has ended', async () => {
  const id = await opened('case-1');
  await expectUnchanged(db.pool, async () => expect(await open('case-1')).toBe('known'));
  const end = { id, from: 'open', to: 'won', by: BY, now: NOW } as const;
  expect(await closeDispute(db.pool, { ...end, ...event() })).toBe('closed');
  await expectUnchanged(db.pool, async () => expect(await open('case-1')).toBe('known'));
  expect(await open('case-2')).toBe('opened');
  await expectSound(db.pool);
});

test('a case reminds of its end until its last reminder, with one event each', async () => {
  const id = await reminded();
  const next = new Date(NOW.getTime() + 20 * HOUR_MS);
  expect(await remind(id, next)).toBe(true);
  expect(await look(id)).toEqual({ due: [next], events: 1 });
  await expectUnchanged(db.pool, async () => expect(await remind(id, next), 'of a claim that is over').toBe(false));
  expect(await remind(id, null, { leaseUntil: next })).toBe(true);
  expect(await look(id)).toEqual({ due: [], events: 2 });
});

test('a case that was answered, or whose time is over, reminds of nothing', async () => {
  const late = await reminded();
  await expectUnchanged(db.pool, async () => expect(await remind(late, null, { now: ANSWER_BY })).toBe(false));
  const answer = { answer: 'contest', text: null, by: BY, now: NOW } as const;
  expect(await answerDispute(db.pool, { id: late, ...answer })).toBe('answered');
  await db.pool.query(
    `INSERT INTO tasks (kind, subject_id, due_at) VALUES ('dispute_reminder', $1, $2)
     ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at`,
    [late, LEASE],
  );
  await expectUnchanged(db.pool, async () => expect(await remind(late, null)).toBe(false));
});

test('a case that is answered, ends or reminds leaves the reminders of other cases', async () => {
  const other = await reminded();
  const by = { by: BY, now: NOW } as const;
  const changes: [change: (id: string) => Promise<unknown>, outcome: unknown][] = [
    [(id) => answerDispute(db.pool, { id, answer: 'contest', text: null, ...by }), 'answered'],
    [(id) => closeDispute(db.pool, { id, from: 'open', to: 'won', ...by, ...event() }), 'closed'],
    [(id) => remind(id, ANSWER_BY), true],
    [(id) => remind(id, null), true],
  ];
  for (const [change, outcome] of changes) {
    transactionId = (await fund(db.pool, account, 100n)).id;
    expect(await change(await reminded())).toBe(outcome);
    expect(await look(other)).toMatchObject({ due: [LEASE] });
  }
});

test('a case that is opened while a withdrawal takes the balance holds what the withdrawal leaves, if anything', async () => {
  const outcome = await askDuring(
    db.pool,
    (session) => withdrawalChanges(session).request(newPixOut(account, { amountCentavos: 80n })),
    () => open(null),
  );
  expect(outcome).toBe('opened');
  expect(await findBalances(db.pool, account.id)).toMatchObject({ availableCentavos: 0n, blockedCentavos: 100n });
  // Of what has been spent whole it holds nothing.
  transactionId = (await fund(db.pool, account, 100n)).id;
  await withdrawalChanges(db.pool).request(newPixOut(account, { amountCentavos: 100n }));
  expect(await open(null)).toBe('opened');
  expect(await findBalances(db.pool, account.id)).toMatchObject({ availableCentavos: 0n, blockedCentavos: 200n });
  await expectSound(db.pool);
});

test('a refund that fails beside a case that holds all it contests ends, and its money is available', async () => {
  const refunds = refundChanges(db.pool);
  const refund = newRefund({ id: transactionId }, 40n);
  expect(await refunds.request(refund)).toBe('requested');
  expect(await open(null, uuidv7(NOW), 50n)).toBe('opened');
  expect(await refunds.finish(refund.id, false)).toBe(true);
  expect(await findBalances(db.pool, account.id)).toMatchObject({ availableCentavos: 50n, blockedCentavos: 50n });
  await expectSound(db.pool);
});

test('a case takes no more files than its most while another one is being added', async () => {
  const id = await opened();
  const outcome = await askDuring(
    db.pool,
    (session) => addFile(id, session),
    () => addFile(id),
  );
  expect(outcome).toBe('too_many');
});

test('a case takes no file while it is being answered', async () => {
  const id = await opened();
  const outcome = await askDuring(
    db.pool,
    (session) => answerDispute(session, { id, answer: 'contest', text: 'sealed', by: BY, now: NOW }),
    () => addFile(id),
  );
  expect(outcome).toBe('decided');
});

const addFile = (disputeId: string, pool = db.pool) =>
  addDisputeFile(pool, {
    ...{ id: uuidv7(NOW), disputeId, fileName: 'sealed', mediaType: 'image/png', bytes: 1 },
    ...{ sealed: Buffer.alloc(1), uploadedAt: NOW, max: 1 },
  });
