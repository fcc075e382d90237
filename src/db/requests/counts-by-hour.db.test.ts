import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { findRailCalls, insertProviderCalls, type NewProviderCall } from '../callbacks/provider-calls.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { findRequestVolume, insertRequestRecords, type NewRequestRecord } from './request-records.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE_MS = 60_000;
/** Minutes from noon, in no order of time: two processes write what each of them had. */
const MINUTES = [61, 0, 59, -1, 125, 60, 3, 124, -60, 119];
const FAMILIES = ['transactions', 'balance', 'other'];
const STATUSES = [200, 404, 201, 500, 429, 503];
const OUTCOMES = ['done', 'silent', 'failed', 'rejected', 'done'] as const;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** The nth of a cycle. */
const nth = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;
const at = (n: number) => new Date(NOON + nth(MINUTES, n) * MINUTE_MS + n);

const request = (n: number): NewRequestRecord => ({
  accountId: uuidv7(new Date(NOON)),
  keyId: uuidv7(new Date(NOON)),
  requestId: uuidv7(new Date(NOON)),
  method: 'GET',
  path: `/${nth(FAMILIES, n)}`,
  family: nth(FAMILIES, n),
  status: nth(STATUSES, n),
  durationMs: 1,
  requestBody: null,
  responseBody: null,
  at: at(n),
});

const call = (n: number): NewProviderCall => {
  const outcome = nth(OUTCOMES, n);
  return {
    transactionId: uuidv7(new Date(NOON)),
    rail: nth(['efi', 'inter', 'plisio'], n),
    operation: `operation ${n}`,
    method: 'PUT',
    target: 'psp.example.com/cob',
    status: outcome === 'silent' ? null : n,
    outcome,
    durationMs: 1,
    requestBody: null,
    responseBody: null,
    at: at(n),
  };
};

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
/** Batches as two processes write them: of some of the numbers each. */
const batches = [7, 1, 30, 22].map((count, part) => numbers(count).map((n) => n * 4 + part));

test('requests are counted in their hours and by subject, whichever batch they come with', async () => {
  for (const batch of batches) await insertRequestRecords(db.pool, batch.map(request));
  const volume = await findRequestVolume(db.pool, new Date(NOON + 30 * MINUTE_MS));
  const { rows: counted } = await db.pool.query(
    `SELECT date_trunc('hour', at, 'UTC') AS hour, substring(path FROM 2) AS family,
       count(*)::int AS requests, (count(*) FILTER (WHERE status IN (404, 429)))::int AS rejected,
       (count(*) FILTER (WHERE status IN (500, 503)))::int AS failed
     FROM request_records WHERE at >= $1 GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
    [new Date(NOON)],
  );
  expect(volume).toEqual(counted);
  expect(new Set(volume.map(({ hour }) => hour.toISOString().slice(11, 13)))).toEqual(new Set(['12', '13', '14']));
  expect(new Set(volume.map(({ family }) => family))).toEqual(new Set(FAMILIES));
});

test('calls to providers are counted by rail, with the last answer and the last failure of all batches', async () => {
  for (const batch of batches) await insertProviderCalls(db.pool, batch.map(call));
  const given = batches.flat().map(call);
  const of = (rail: string) => given.filter((one) => one.rail === rail && one.at.getTime() >= NOON);
  const last = (calls: readonly NewProviderCall[]) => calls.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
  const isFailure = ({ outcome }: NewProviderCall) => outcome === 'failed' || outcome === 'silent';
  expect(await findRailCalls(db.pool, new Date(NOON))).toEqual(
    ['efi', 'inter', 'plisio'].map((rail) => {
      const failures = of(rail).filter(isFailure);
      const failure = last(failures);
      return {
        rail,
        calls: of(rail).length,
        failures: failures.length,
        lastAnswerAt: last(of(rail).filter((one) => !isFailure(one)))?.at,
        lastFailureAt: failure?.at,
        failedOperation: failure?.operation,
        failedStatus: failure?.status ?? 0,
      };
    }),
  );
});

test('a rail that has never failed has no failure, and one that never answered no answer', async () => {
  const calls = [call(0), call(1)].map((one, n) => ({ ...one, rail: nth(['well', 'dead'], n) }));
  for (const one of calls) await insertProviderCalls(db.pool, [one]);
  for (const one of calls) await insertProviderCalls(db.pool, [one]);
  const found = await findRailCalls(db.pool, new Date(NOON));
  expect(found.filter(({ rail }) => rail === 'well' || rail === 'dead')).toMatchObject([
    { rail: 'dead', calls: 2, failures: 2, lastAnswerAt: null, failedOperation: 'operation 1', failedStatus: 0 },
    { rail: 'well', calls: 2, failures: 0, lastFailureAt: null, failedOperation: null, failedStatus: null },
  ]);
});

test('a failure that is written late, or an answer after it, leaves the last failure what it was', async () => {
  const failure = { ...call(2), rail: 'late', at: new Date(NOON + MINUTE_MS) };
  const older = { ...failure, operation: 'older', at: new Date(NOON) };
  const answer = { ...call(0), rail: 'late', at: new Date(NOON + 2 * MINUTE_MS) };
  for (const one of [failure, older, answer]) await insertProviderCalls(db.pool, [one]);
  const found = await findRailCalls(db.pool, new Date(NOON));
  expect(found.find(({ rail }) => rail === 'late')).toMatchObject({
    lastAnswerAt: answer.at,
    lastFailureAt: failure.at,
    failedOperation: 'operation 2',
    failedStatus: 2,
  });
});

test('processes that count the same hours in other orders don’t wait for each other for ever', async () => {
  const before = await findRequestVolume(db.pool, new Date(NOON));
  const some = numbers(50);
  await Promise.all(
    some.flatMap(() => [some, some.toReversed()].map((order) => insertRequestRecords(db.pool, order.map(request)))),
  );
  const sum = (volume: typeof before) => volume.reduce((total, { requests }) => total + requests, 0);
  const ofOne = some.map(request).filter((one) => one.at.getTime() >= NOON).length;
  expect(sum(await findRequestVolume(db.pool, new Date(NOON))) - sum(before)).toBe(100 * ofOne);
});
