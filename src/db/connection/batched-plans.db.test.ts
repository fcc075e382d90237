import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTestClockOf } from '../accounts/test-clocks.ts';
import { findCallback, finishCallback, insertCallback } from '../callbacks/callbacks.ts';
import { findCharge } from '../charges/charges.ts';
import { GROWING_TABLES } from '../testing/fill-growing-tables.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { findDelivery, recordAttempt } from '../webhooks/deliveries.ts';

/** A new installation's: nothing is in it, and nothing is known of its tables. */
let database: TestDatabase;
let owner: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const ID = '019aa5e0-0000-7000-8000-000000000001';
const now = new Date();
const task = { kind: 'deliver_webhook', subjectId: ID, leaseUntil: now, attempts: 1 } as const;
const attempt = { url: '', startedAt: now, durationMs: 1, statusCode: 200, error: null, responseBody: null };

const BATCHED = {
  findCallback: (db: pg.Pool) => findCallback(db, ID),
  findCharge: (db: pg.Pool) => findCharge(db, ID),
  findDelivery: (db: pg.Pool) => findDelivery(db, ID),
  finishCallback: (db: pg.Pool) => finishCallback(db, { task, outcome: 'paid', now }),
  insertCallback: (db: pg.Pool) => insertCallback(db, { id: ID, rail: 'psp', body: '{}', now }),
  findTestClockOf: (db: pg.Pool) => findTestClockOf(db, task),
  recordAttempt: (db: pg.Pool) => recordAttempt(db, { task, attempt, result: { status: 'delivered' } }),
};

/** What the plan reads of tables that grow otherwise than by one of `indexes`. */
async function unindexed(text: string): Promise<string[]> {
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
  return rows.flatMap(({ 'QUERY PLAN': line }) => {
    const [, table = ''] = /Seq Scan on (\w+)/.exec(line) ?? [];
    const [, index = ''] = /Scan (?:using|on) (transactions_\w+)/.exec(line) ?? [];
    return GROWING_TABLES.has(table) || (index !== '' && index !== 'transactions_pkey') ? [line.trim()] : [];
  });
}

/** The statement that a call makes, which is not run. */
async function textOf(call: (db: pg.Pool) => Promise<unknown>): Promise<string> {
  let text = '';
  const query = async (statement: { text: string }) => {
    text = statement.text;
    return { rows: [] };
  };
  await call(new Proxy(owner, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name)) }));
  return text;
}

test.each(Object.entries(BATCHED))(
  'a plan of %s that is made while the tables are empty stays right when they have grown',
  async (_, call) => {
    expect(await unindexed(await textOf(call))).toEqual([]);
  },
);

/** PostgreSQL plans the first runs of a statement for their values, and then as it likes. */
const FIRST_RUNS = 5;

/** How many of the runs after the first ones the call's statement was planned for. */
async function replanned(call: (db: pg.Pool) => Promise<unknown>): Promise<number> {
  const client = await owner.connect();
  // The pool itself would close the connection of a statement that fails.
  const pool = new Proxy(owner, { get: (of, name) => Reflect.get(name === 'query' ? client : of, name).bind(client) });
  try {
    // What is asked for need not be there: a statement that fails was planned, too.
    for (let run = 0; run < 2 * FIRST_RUNS; run++) await call(pool).catch(() => undefined);
    const { rows } = await client.query<{ runs: number }>(
      'SELECT sum(custom_plans)::integer AS runs FROM pg_prepared_statements',
    );
    return (rows[0]?.runs ?? 0) - FIRST_RUNS;
  } finally {
    client.release(true);
  }
}

test.each(Object.entries(BATCHED))('%s is not planned again for each batch', async (_, call) => {
  expect(await replanned(call)).toBe(0);
});

test('planted: a batch whose length the planner knows is planned again', async () => {
  const callback = '(SELECT FROM inbound_callbacks c WHERE c.id = asked.id OFFSET 0) AS callback';
  const text = `SELECT callback.* FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL ${callback}`;
  expect(await replanned((db) => db.query({ name: 'planted', text, values: [[ID]] }))).toBe(FIRST_RUNS);
});

test('planted: a statement over several ids that is planned for the empty table', async () => {
  const ids = 'unnest($1::uuid[], $2::text[]) AS issued (id, code)';
  const update = `UPDATE transactions t SET br_code = code FROM ${ids} WHERE t.id = issued.id AND t.id = ANY ($1)`;
  expect(await unindexed(update)).toEqual([expect.stringContaining('Seq Scan on transactions')]);
  const find = "SELECT FROM transactions WHERE id = ANY ($1::uuid[]) AND type = 'pix_in'";
  expect(await unindexed(find)).toHaveLength(1);
});
