import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { NOW, openTestAccount, type TestAccount } from '../testing/ledger-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { claimIdempotencyKey, deleteExpiredKeys, deleteKey, keepAnswer, releaseKey } from './idempotency.ts';

/** Real sessions, so that the locks are real; other test files share the server's connections. */
const CONNECTIONS = 16;
const EXPIRY = new Date('2026-12-21T12:00:00.000Z');

/** Processes by the number of the advisory lock that each holds while it lives. */
const ALIVE = Array.from({ length: 100 }, (_, n) => BigInt(1_000 + n));
const [ONE, OTHER] = ALIVE as [bigint, bigint];
const DEAD = 7n;

let database: TestDatabase;
let db: Database;
let life: pg.Client;
let account: TestAccount;
let key: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: CONNECTIONS });
  life = new pg.Client({ connectionString: database.url });
  await life.connect();
  await life.query('SELECT pg_advisory_lock(owner) FROM unnest($1::bigint[]) AS owner', [ALIVE]);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  key = uuidv7(NOW);
});
afterAll(async () => {
  await life.end();
  await db.close();
  await database.drop();
});

test('of 100 processes that get one request at once, one executes it', async () => {
  const claims = await Promise.all(ALIVE.map((owner) => claim({ owner })));
  expect(outcomesOf(claims)).toEqual({ execute: 1, running: 99 });
});

test('of 100 requests that one process gets at once, one is executed, in whatever order they reach the database', async () => {
  const claims = await Promise.all(ALIVE.map((_, n) => claim({ atWork: n !== 99 })));
  expect(outcomesOf(claims)).toEqual({ execute: 1, running: 99 });
});

test('a process that is at work on a key does not claim it a second time', async () => {
  expect(await claim({ atWork: true })).toMatchObject({ outcome: 'running' });
  expect(await claim()).toMatchObject({ outcome: 'execute', resumed: false });
  expect(await claim({ atWork: true })).toMatchObject({ outcome: 'running' });
  key = uuidv7(NOW);
  await execute({ owner: DEAD });
  expect(await claim({ atWork: true })).toMatchObject({ outcome: 'running' });
});

test('a stored response is replayed for the same request, and for no other', async () => {
  const subjectId = await execute();
  await keepAnswer(db.pool, { ...row(subjectId), status: 200, body: '{"a":"ção"}' });
  const claims = await Promise.all(ALIVE.map((owner) => claim({ owner })));
  expect(outcomesOf(claims)).toEqual({ replay: 100 });
  expect(claims[0]).toMatchObject({ status: 200, body: '{"a":"ção"}' });
  expect(await claim({ fingerprints: [fingerprintOf('another')] })).toMatchObject({ outcome: 'differs' });
  // Only the first answer is kept.
  await keepAnswer(db.pool, { ...row(subjectId), status: 500, body: 'later' });
  expect(await claim()).toMatchObject({ outcome: 'replay', status: 200 });
});

test('a key that is used for another request is rejected while the first one runs, also when its process has died', async () => {
  const fingerprints: [Buffer] = [fingerprintOf('another')];
  await execute();
  expect(await claim({ owner: OTHER, fingerprints })).toMatchObject({ outcome: 'differs' });
  expect(await claim({ owner: ONE, fingerprints })).toMatchObject({ outcome: 'differs' });
  key = uuidv7(NOW);
  await execute({ owner: DEAD });
  expect(await claim({ owner: OTHER, fingerprints })).toMatchObject({ outcome: 'differs' });
});

test('an idempotency key is an account’s own: another account can use the same one', async () => {
  await execute();
  const other = await openTestAccount(db.pool, 'live');
  expect(await claim({ accountId: other.id })).toMatchObject({ outcome: 'execute', resumed: false });
});

test('no process takes over from one that is alive', async () => {
  await execute();
  const claims = await Promise.all(ALIVE.slice(1).map((owner) => claim({ owner })));
  expect(outcomesOf(claims)).toEqual({ running: 99 });
});

test('of 99 processes one takes over from one that has died, under the same subject', async () => {
  const subjectId = await execute({ owner: DEAD });
  const claims = await Promise.all(ALIVE.slice(1).map((owner) => claim({ owner })));
  expect(outcomesOf(claims)).toEqual({ execute: 1, running: 98 });
  expect(claims.find(({ outcome }) => outcome === 'execute')).toMatchObject({ subjectId, resumed: true });
});

test('a process that dies is taken over from the moment its connection is gone', async () => {
  const process = new pg.Client({ connectionString: database.url });
  await process.connect();
  await process.query('SELECT pg_advisory_lock(8)');
  await execute({ owner: 8n });
  expect(await claim({ owner: OTHER })).toMatchObject({ outcome: 'running' });
  await process.end();
  // The server notices the end of a session a moment after its client.
  let taken = await claim({ owner: OTHER });
  for (let tries = 0; tries < 200 && taken.outcome === 'running'; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    taken = await claim({ owner: OTHER });
  }
  expect(taken).toMatchObject({ outcome: 'execute', resumed: true });
});

test('all keys of a process that has died can be taken over at once', async () => {
  const keys = Array.from({ length: 50 }, () => uuidv7(NOW));
  for (const one of keys) await claim({ key: one, owner: DEAD });
  const claims = await Promise.all(keys.map((one, n) => claim({ key: one, owner: ALIVE[n] as bigint })));
  expect(outcomesOf(claims)).toEqual({ execute: 50 });
});

test('a process resumes a request that it began and is no longer running', async () => {
  const subjectId = await execute();
  expect(await claim()).toMatchObject({ outcome: 'execute', subjectId, resumed: true });
});

test('a key that is released half-way continues under its subject; one that is deleted is new', async () => {
  const subjectId = await execute();
  await releaseKey(db.pool, row(subjectId));
  expect(await claim({ owner: OTHER })).toMatchObject({ outcome: 'execute', subjectId, resumed: true });
  await deleteKey(db.pool, row(subjectId));
  const next = await claim({ fingerprints: [fingerprintOf('another')] });
  expect(next).toMatchObject({ outcome: 'execute', resumed: false });
  expect(next).not.toMatchObject({ subjectId });
});

test('a request is the same under whichever master key its fingerprint was made', async () => {
  const [old, fresh] = [fingerprintOf('under v1'), fingerprintOf('under v2')];
  const subjectId = await execute({ fingerprints: [old] });
  await keepAnswer(db.pool, { ...row(subjectId), status: 200, body: '{}' });
  expect(await claim({ fingerprints: [fresh, old] })).toMatchObject({ outcome: 'replay' });
  expect(await claim({ fingerprints: [fresh] })).toMatchObject({ outcome: 'differs' });
});

test('an answered key is neither deleted nor released', async () => {
  const subjectId = await execute();
  await keepAnswer(db.pool, { ...row(subjectId), status: 200, body: '{}' });
  await deleteKey(db.pool, row(subjectId));
  await releaseKey(db.pool, row(subjectId));
  expect(await claim()).toMatchObject({ outcome: 'replay' });
});

test('an expired key is as good as none, whatever its outcome: of 100 who come at once one executes', async () => {
  for (const answered of [true, false]) {
    key = uuidv7(NOW);
    const before = await execute();
    if (answered) await keepAnswer(db.pool, { ...row(before), status: 200, body: '{}' });
    expect(await claim({ owner: OTHER, now: new Date(EXPIRY.getTime() - 1) })).not.toMatchObject({
      outcome: 'execute',
    });
    const fingerprints: [Buffer] = [fingerprintOf('another')];
    const expiresAt = new Date(EXPIRY.getTime() + 60_000);
    const claims = await Promise.all(ALIVE.map((owner) => claim({ owner, fingerprints, now: EXPIRY, expiresAt })));
    expect(outcomesOf(claims)).toEqual({ execute: 1, running: 99 });
    const executed = claims.find(({ outcome }) => outcome === 'execute');
    expect(executed).toMatchObject({ resumed: false });
    expect(executed).not.toMatchObject({ subjectId: before });
    // The one before it is late: its answer is not the new one's.
    await keepAnswer(db.pool, { ...row(before), status: 200, body: 'late' });
    expect(await claim({ owner: DEAD, fingerprints, now: EXPIRY })).toMatchObject({ outcome: 'running' });
  }
});

test('expired keys are deleted, a batch at a time, and no others', async () => {
  await db.pool.query('DELETE FROM idempotency_keys');
  for (let n = 0; n < 5; n++) await claim({ key: `old-${n}` });
  await claim({ key: 'new', expiresAt: new Date(EXPIRY.getTime() + 1) });
  expect(await deleteExpiredKeys(db.pool, new Date(EXPIRY.getTime() - 1), 3)).toBe(0);
  expect(await deleteExpiredKeys(db.pool, EXPIRY, 3)).toBe(3);
  expect(await deleteExpiredKeys(db.pool, EXPIRY, 3)).toBe(2);
  expect(await deleteExpiredKeys(db.pool, EXPIRY, 3)).toBe(0);
  const { rows } = await db.pool.query('SELECT key FROM idempotency_keys');
  expect(rows).toEqual([{ key: 'new' }]);
});

test('an expired key that is being claimed again is not deleted: its request executes once', async () => {
  await execute();
  const claiming = new pg.Client({ connectionString: database.url });
  await claiming.connect();
  try {
    await claiming.query('BEGIN');
    await claiming.query(
      `SELECT FROM idempotency_claim($1, $2, $3, gen_random_uuid(), $4, false, $5, $5::timestamptz + interval '30 days')`,
      [account.id, key, [fingerprintOf('a request')], ONE, EXPIRY],
    );
    expect(await deleteExpiredKeys(db.pool, EXPIRY, 100)).toBe(0);
    await claiming.query('COMMIT');
  } finally {
    await claiming.end();
  }
  expect(await deleteExpiredKeys(db.pool, EXPIRY, 100)).toBe(0);
  expect(await claim({ owner: OTHER, now: EXPIRY })).toMatchObject({ outcome: 'running' });
});

type Claim = Parameters<typeof claimIdempotencyKey>[1];

const claim = (change: Partial<Claim> = {}) =>
  claimIdempotencyKey(db.pool, {
    accountId: account.id,
    key,
    fingerprints: [fingerprintOf('a request')],
    subjectId: uuidv7(NOW),
    owner: ONE,
    atWork: false,
    now: NOW,
    expiresAt: EXPIRY,
    ...change,
  });

/** The first claim of the key; gives its subject. */
async function execute(change: Partial<Claim> = {}): Promise<string> {
  const claimed = await claim(change);
  if (claimed.outcome !== 'execute') throw new Error(`The key is not new: ${claimed.outcome}.`);
  return claimed.subjectId;
}

const row = (subjectId: string) => ({ accountId: account.id, key, subjectId });

const fingerprintOf = (request: string): Buffer => createHash('sha256').update(request).digest();

function outcomesOf(claims: { outcome: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of claims) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
