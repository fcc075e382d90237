import { expect, test } from 'vitest';
import { awaitDatabase } from './await-database.ts';

/** A database that answers with these, one after the other; null: without an error. */
function databaseOf(...answers: ({ code: string } | null)[]) {
  let asked = 0;
  const query = async () => {
    const error = answers[Math.min(asked++, answers.length - 1)];
    if (error) throw Object.assign(new Error('It failed.'), error);
  };
  return { pool: { query } as never, asked: () => asked };
}

const REFUSED = { code: 'ECONNREFUSED' };
const RECOVERING = { code: '57P03' };
const said: string[] = [];
const patiently = { isStopping: () => false, onProgress: (line: string) => void said.push(line), pollMs: 1 };

test('a start waits while its database is unavailable, and says so once', async () => {
  const database = databaseOf(REFUSED, REFUSED, RECOVERING, null);
  await awaitDatabase(database.pool, patiently);
  expect(database.asked()).toBe(4);
  expect(said.splice(0)).toEqual(['Waiting for the database of DATABASE_URL (ECONNREFUSED)']);
});

test.each([
  ['a wrong password', '28P01'],
  ['a database that does not exist', '3D000'],
])('a start does not wait for what time does not mend: %s', async (_, code) => {
  const database = databaseOf({ code });
  await awaitDatabase(database.pool, patiently);
  expect(database.asked()).toBe(1);
  expect(said).toEqual([]);
});

test('a start that is to stop, or has waited for long enough, waits no longer', async () => {
  const stopping = databaseOf(REFUSED);
  await awaitDatabase(stopping.pool, { ...patiently, isStopping: () => stopping.asked() > 2 });
  expect(stopping.asked()).toBe(3);
  await awaitDatabase(databaseOf(REFUSED).pool, { ...patiently, waitMs: 5 });
  said.length = 0;
});
