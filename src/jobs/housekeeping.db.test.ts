import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { purgeExpired } from './housekeeping.ts';

const DAY_MS = 86_400_000;
const BEGIN = new Date('2025-06-01T12:00:00.000Z');

let now = BEGIN;
let trilho: TestService;
let webhookUrl: string;
const receiver = createServer((_, res) => res.end());
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  trilho = await startTestService({ clock: () => now });
});
afterAll(async () => {
  await trilho.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** Creates a charge that is paid `day` days after BEGIN; returns its id. */
async function paidCharge(apiKey: string, day: number): Promise<string> {
  now = new Date(BEGIN.getTime() + day * DAY_MS);
  const id = transactionIdOf(await trilho.post('/payments/transactions', apiKey, { amount: 10 }));
  await trilho.pay(id);
  await trilho.until('its event is delivered or held', async () => {
    const [event] = await eventsOf(id);
    return event && event.status !== 'pending' ? true : null;
  });
  return id;
}

async function eventsOf(id: string) {
  const { rows } = await trilho.deps.db.pool.query<{ status: string; attempts: number }>(
    `SELECT d.status, (SELECT count(*)::int FROM attempts a WHERE a.delivery_id = d.id) AS attempts
     FROM events e JOIN deliveries d ON d.event_id = e.id WHERE e.transaction_id = $1`,
    [id],
  );
  return rows;
}

const count = async (table: string): Promise<number> => {
  const { rows } = await trilho.deps.db.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
  return rows[0]?.n ?? 0;
};

test('an event is deleted after a year with its deliveries and attempts, unless it still has to be delivered', async () => {
  const { apiKey } = await trilho.openAccount({ webhookUrl });
  const silent = await trilho.openAccount();
  const old = await paidCharge(apiKey, 0);
  const held = await paidCharge(silent.apiKey, 0);
  const younger = await paidCharge(apiKey, 2);
  expect(await eventsOf(old)).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(await eventsOf(held)).toEqual([{ status: 'held', attempts: 0 }]);

  now = new Date(BEGIN.getTime() + 367 * DAY_MS);
  await purgeExpired(trilho.deps);
  expect(await eventsOf(old)).toEqual([]);
  expect(await eventsOf(held)).toHaveLength(1);
  expect(await eventsOf(younger)).toHaveLength(1);
  expect(await count('attempts')).toBe(1);
  // The transaction stays as it is.
  const { body } = await trilho.get(`/payments/transactions/${old}`, apiKey);
  expect(body.data).toMatchObject({ status: 'paid' });
});

test('a provider’s callback is deleted after 90 days, once it is processed', async () => {
  const { apiKey } = await trilho.openAccount();
  await paidCharge(apiKey, 400);
  await trilho.until('its callback is processed', async () => {
    const { rows } = await trilho.deps.db.pool.query('SELECT FROM inbound_callbacks WHERE processed_at IS NULL');
    return rows.length === 0 || null;
  });
  expect(await count('inbound_callbacks')).toBeGreaterThan(0);
  now = new Date(BEGIN.getTime() + 489 * DAY_MS);
  await purgeExpired(trilho.deps);
  expect(await count('inbound_callbacks')).toBe(1);
  await trilho.deps.db.pool.query('UPDATE inbound_callbacks SET processed_at = NULL');
  now = new Date(BEGIN.getTime() + 491 * DAY_MS);
  await purgeExpired(trilho.deps);
  expect(await count('inbound_callbacks')).toBe(1);
  await trilho.deps.db.pool.query('UPDATE inbound_callbacks SET processed_at = received_at');
  await purgeExpired(trilho.deps);
  expect(await count('inbound_callbacks')).toBe(0);
});

test('the counts of requests and of calls to providers are deleted after two days, not before', async () => {
  const { apiKey } = await trilho.openAccount();
  await paidCharge(apiKey, 600);
  // What the service does by itself is counted in its own hours.
  const ofThisHour = `WHERE hour = '${now.toISOString()}'`;
  const counts = async () => [
    await count(`request_counts ${ofThisHour}`),
    await count(`provider_call_counts ${ofThisHour}`),
  ];
  await trilho.until('both are counted', async () => (Math.min(...(await counts())) > 0 ? true : null));
  now = new Date(BEGIN.getTime() + 602 * DAY_MS);
  await purgeExpired(trilho.deps);
  expect(Math.min(...(await counts()))).toBeGreaterThan(0);
  now = new Date(now.getTime() + 1);
  await purgeExpired(trilho.deps);
  expect(await counts()).toEqual([0, 0]);
});

test('housekeeping waits for no one: what another statement has locked is left for the next time', async () => {
  const { apiKey } = await trilho.openAccount({ webhookUrl });
  const [locked, free] = [await paidCharge(apiKey, 500), await paidCharge(apiKey, 500)];
  now = new Date(BEGIN.getTime() + 900 * DAY_MS);
  const other = new pg.Client({ connectionString: trilho.databaseUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM events WHERE transaction_id = $1 FOR UPDATE', [locked]);
    await purgeExpired(trilho.deps);
    expect(await eventsOf(locked)).toHaveLength(1);
    expect(await eventsOf(free)).toEqual([]);
    await other.query('ROLLBACK');
  } finally {
    await other.end();
  }
  await purgeExpired(trilho.deps);
  expect(await eventsOf(locked)).toEqual([]);
});

test('an entry of the e-mail log is deleted after thirty days, unless its e-mail is still to be sent', async () => {
  now = new Date(BEGIN.getTime() + 600 * DAY_MS);
  const states = ['sent_at', 'given_up_at', null];
  for (const [at, ended] of states.entries()) {
    await trilho.deps.db.pool.query(
      `INSERT INTO mails (id, sealed, template, recipient, created_at${ended ? `, ${ended}` : ''})
       VALUES (gen_random_uuid(), $1, 'invitation', $2, $3${ended ? ', $3' : ''})`,
      [ended === 'sent_at' ? null : 'sealed', `${at}***@example.com`, now],
    );
  }
  const left = async () => {
    const { rows } = await trilho.deps.db.pool.query<{ to: string }>(
      `SELECT recipient AS to FROM mails WHERE template = 'invitation' ORDER BY recipient`,
    );
    return rows.map(({ to }) => to[0]);
  };
  now = new Date(now.getTime() + 29 * DAY_MS);
  await purgeExpired(trilho.deps);
  expect(await left()).toEqual(['0', '1', '2']);
  now = new Date(now.getTime() + 2 * DAY_MS);
  await purgeExpired(trilho.deps);
  expect(await left()).toEqual(['2']);
});

test('what a comparison of a day has read is deleted when no run goes on with it', async () => {
  await trilho.asOwner(`INSERT INTO listed_movements (run_id, kind, end_to_end_id, refund_id, amount, fee_amount, at, paid_at)
    VALUES (gen_random_uuid(), 'payment', 'E1', '', 1, 0, now(), now())`);
  await purgeExpired(trilho.deps);
  expect(await count('listed_movements')).toBe(0);
});
