import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { openTestAccount } from '../testing/ledger-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { withChangeBefore } from '../testing/with-change-before.ts';
import { insertRequestRecords, listRequestRecords } from './request-records.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('no request is left out of a search that others arrive during', async () => {
  const account = await openTestAccount(db.pool, 'test');
  const [accountId, keyId] = [account.id, uuidv7(NOW)];
  const request = async (path: string) => {
    const answered = { requestId: uuidv7(NOW), method: 'GET', family: 'other', status: 200, durationMs: 1, at: NOW };
    const bodies = { requestBody: null, responseBody: null };
    await insertRequestRecords(db.pool, [{ accountId, keyId, path, ...answered, ...bodies }]);
  };
  const paths = ['/6', '/5', '/4', '/3', '/2', '/1'];
  for (const path of paths.toReversed()) await request(path);
  const pool = withChangeBefore(db.pool, 'duration_ms', () => request('/later'));
  const filter = { keyId: null, method: 'GET', statuses: null, text: null, since: NOW, limit: 10, scan: 2 };
  const found: string[] = [];
  for (let before: bigint | null = null; ; ) {
    const page = await listRequestRecords(pool, accountId, { ...filter, before });
    found.push(...page.requests.map(({ path }) => path));
    before = page.last;
    if (page.scanned < 2) break;
  }
  expect(found.filter((path) => path !== '/later')).toEqual(paths);
});
