import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openDatabase } from '#db/connection/database.ts';
import { TASK_KINDS } from '#db/tasks/tasks.ts';
import { createTestDatabase } from '#db/testing/test-database.ts';
import { pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { createMetrics } from './metrics.ts';

let trilho: TestService;
let apiKey: string;
/** How far the service's clock is ahead. */
let aheadMs = 0;
/** A connection to the database server from outside the service. */
let server: pg.Client;
const database = () => new URL(trilho.databaseUrl).pathname.slice(1);

beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
  apiKey = (await trilho.openAccount()).apiKey;
  server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await trilho.stop();
});

const terminate = () =>
  server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database()]);

async function scrape(url = trilho.url): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return samples(await response.text());
}

/** Each sample of Prometheus' text format by name and labels, unchanged. */
const samples = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );

test('/healthz says that the process is alive, to GET and to HEAD', async () => {
  const { status, body } = await trilho.get('/healthz');
  expect([status, body]).toEqual([200, { status: 'ok' }]);
  const head = await fetch(`${trilho.url}/healthz`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('/readyz says that the database answers and is of this version, and otherwise why not', async () => {
  const readiness = async () => {
    const { status, body } = await trilho.get('/readyz');
    return [status, body];
  };
  expect(await readiness()).toEqual([200, { status: 'ready' }]);
  const pool = new pg.Pool({ connectionString: trilho.ownerUrl, max: 1 });
  const last = '(SELECT max(migration_name) FROM _prisma_migrations)';

  const { rows } = await pool.query(`SELECT * FROM _prisma_migrations WHERE migration_name = ${last}`);
  await pool.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${last}`);
  expect(await readiness()).toEqual([503, { status: 'unavailable', reason: 'migrations are missing' }]);
  await pool.query(`UPDATE _prisma_migrations SET finished_at = now(), checksum = 'x' WHERE migration_name = ${last}`);
  expect(await readiness()).toEqual([503, { status: 'unavailable', reason: 'migrations do not match this version' }]);
  await pool.query('UPDATE _prisma_migrations SET checksum = $1 WHERE checksum = $2', [rows[0].checksum, 'x']);
  await pool.end();
  expect(await readiness()).toEqual([200, { status: 'ready' }]);
});

test('/metrics counts what happened to a charge, from the request to the webhook', async () => {
  const receiver = createServer((_req, res) => res.end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const before = await scrape();
  const created = await trilho.post('/payments/transactions', apiKey, {
    amount: 10,
    callbackUrl: `http://127.0.0.1:${port}/hook`,
  });
  const id = transactionIdOf(created);
  const whilePending = await scrape();
  await trilho.pay(id);
  const after = await trilho.until('the webhook is counted', async () => {
    const now = await scrape();
    const isCounted = (sample: string) => (now.get(sample) ?? 0) > (before.get(sample) ?? 0);
    return isCounted('trilho_webhook_attempts_total{outcome="2xx"}') &&
      isCounted('trilho_tasks_total{task="process_callback",outcome="done"}') &&
      isCounted('trilho_tasks_total{task="deliver_webhook",outcome="done"}') &&
      !isCounted('trilho_queue_depth{task="sync_charge",state="scheduled"}')
      ? now
      : null;
  });
  await trilho.get(`/payments/transactions/${id}/status?type=pix_in`, apiKey);
  await trilho.get('/api/payments/balance');
  await trilho.get(`/nothing/${id}`);
  receiver.close();
  const end = await trilho.until('the last request is counted', async () => {
    const now = await scrape();
    return now.has('trilho_http_requests_total{method="GET",route="unmatched",status="404"}') ? now : null;
  });

  const grown = (sample: string, until = after) => (until.get(sample) ?? 0) - (before.get(sample) ?? 0);
  expect(grown('trilho_http_requests_total{method="POST",route="/payments/transactions",status="200"}')).toBe(1);
  expect(grown('trilho_http_request_duration_seconds_count{method="POST",route="/payments/transactions"}')).toBe(1);
  expect(
    grown('trilho_http_request_duration_seconds_bucket{le="+Inf",method="POST",route="/payments/transactions"}'),
  ).toBe(1);
  const seconds = grown('trilho_http_request_duration_seconds_sum{method="POST",route="/payments/transactions"}');
  expect(seconds).toBeGreaterThan(0);
  expect(grown('trilho_rail_calls_total{rail="sandbox",operation="createCharge",outcome="done"}')).toBe(1);
  expect(grown('trilho_rail_call_duration_seconds_count{rail="sandbox",operation="createCharge"}')).toBe(1);
  expect(grown('trilho_rail_calls_total{rail="sandbox",operation="findCharge",outcome="done"}')).toBeGreaterThan(0);
  expect(grown('trilho_queue_depth{task="sync_charge",state="scheduled"}', whilePending)).toBe(1);
  expect(whilePending.get('trilho_queue_oldest_due_seconds{task="sync_charge"}')).toBe(0);
  expect(grown('trilho_queue_depth{task="sync_charge",state="scheduled"}')).toBe(0);
  expect(grown('trilho_ledger_postings_total{posting="charge_paid"}')).toBe(1);
  expect(grown('trilho_tasks_total{task="process_callback",outcome="done"}')).toBe(1);
  expect(grown('trilho_tasks_total{task="deliver_webhook",outcome="done"}')).toBe(1);
  expect(grown('trilho_webhook_attempts_total{outcome="2xx"}')).toBe(1);

  // Routes are templates, rejections are counted by their status, and what leads nowhere is one
  // route.
  const status = 'method="GET",route="/payments/transactions/{transactionId}/status",status="200"';
  expect(grown(`trilho_http_requests_total{${status}}`, end)).toBe(1);
  expect(grown('trilho_http_requests_total{method="GET",route="/payments/balance",status="401"}', end)).toBe(1);
  expect(grown('trilho_http_requests_total{method="GET",route="unmatched",status="404"}', end)).toBe(1);
  expect(Array.from(end.keys()).filter((sample) => sample.includes(id))).toEqual([]);
  expect(end.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
});

test('/metrics says when the client certificate for the PSP ends, where there is one', async () => {
  const db = openDatabase('postgres://x:x@127.0.0.1:1/x');
  const endOf = async (endsAt: Date | null) =>
    samples((await createMetrics({ db, clock: () => new Date() }, endsAt).render()).text).get(
      'trilho_psp_certificate_end_timestamp_seconds',
    );
  expect([await endOf(null), await endOf(new Date(1_800_000_000_000))]).toEqual([undefined, 1_800_000_000]);
  await db.close();
});

test('/metrics says how many tasks of each kind wait, and how long the oldest has been due', async () => {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase(url);
  const now = new Date('2026-11-20T12:00:00.000Z');
  const metrics = createMetrics({ db, clock: () => now });
  const task = (kind: string, dueInSeconds: number) =>
    db.pool.query('INSERT INTO tasks (kind, subject_id, due_at) VALUES ($1, gen_random_uuid(), $2)', [
      kind,
      new Date(now.getTime() + dueInSeconds * 1000),
    ]);
  for (const due of [-90, -2.5, 0, 1, 3600]) await task('deliver_webhook', due);
  await task('sync_charge', 60);
  const queue = async () => {
    const { text } = await metrics.render();
    return Object.fromEntries(Array.from(samples(text)).filter(([name]) => name.startsWith('trilho_queue')));
  };
  const busy = ['deliver_webhook', 'sync_charge', 'process_callback'];
  const idle = TASK_KINDS.filter((task) => !busy.includes(task)).flatMap((task) => [
    [`trilho_queue_depth{task="${task}",state="due"}`, 0],
    [`trilho_queue_depth{task="${task}",state="scheduled"}`, 0],
    [`trilho_queue_oldest_due_seconds{task="${task}"}`, 0],
  ]);
  const others = {
    ...Object.fromEntries(idle),
    'trilho_queue_depth{task="process_callback",state="due"}': 0,
    'trilho_queue_depth{task="process_callback",state="scheduled"}': 0,
    'trilho_queue_oldest_due_seconds{task="process_callback"}': 0,
    'trilho_queue_depth{task="sync_charge",state="due"}': 0,
    'trilho_queue_depth{task="sync_charge",state="scheduled"}': 1,
    'trilho_queue_oldest_due_seconds{task="sync_charge"}': 0,
  };
  expect(await queue()).toEqual({
    ...others,
    'trilho_queue_depth{task="deliver_webhook",state="due"}': 3,
    'trilho_queue_depth{task="deliver_webhook",state="scheduled"}': 2,
    'trilho_queue_oldest_due_seconds{task="deliver_webhook"}': 90,
  });
  await db.pool.query("DELETE FROM tasks WHERE kind = 'deliver_webhook'");
  expect(await queue()).toEqual({
    ...others,
    'trilho_queue_depth{task="deliver_webhook",state="due"}': 0,
    'trilho_queue_depth{task="deliver_webhook",state="scheduled"}': 0,
    'trilho_queue_oldest_due_seconds{task="deliver_webhook"}': 0,
  });

  // Metrics are wanted most when the database is away: what is unknown is left out, the rest stays.
  await db.close();
  expect(await queue()).toEqual({});
  expect((await metrics.render()).text).toContain('process_cpu_seconds_total');
  await drop();
});

const UNAVAILABLE = {
  success: false,
  error: 'Serviço indisponível',
  message: 'O serviço está temporariamente indisponível. Tente de novo em instantes.',
  code: 'unavailable',
};

test('while the database is away REST, callbacks and sign-in answer 503 with a time to retry, after a minute the process is unhealthy; when it is back, so is the service', async () => {
  const before = await trilho.post('/payments/transactions', apiKey, { amount: 10 });
  const id = transactionIdOf(before);
  const callback = `${new URL(pixCallbackUrl(trilho.url, trilho.deps.secretBox, 'sandbox')).pathname}/pix`;

  await server.query(`ALTER DATABASE ${database()} ALLOW_CONNECTIONS false`);
  try {
    await terminate();
    for (const call of [
      () => trilho.get('/payments/balance', apiKey),
      () => trilho.get(`/api/payments/transactions/${id}/status?type=pix_in`, apiKey),
      () => trilho.post('/payments/transactions', apiKey, { amount: 10 }),
      // The PSP gets an error, not an acknowledgement, and calls again.
      () => trilho.post(callback, undefined, { pix: [] }),
      () =>
        trilho.post(
          '/api/auth/sign-in/email',
          undefined,
          { email: 'a@b.co', password: 'x'.repeat(12) },
          { origin: trilho.url },
        ),
    ]) {
      const { status, body, headers } = await call();
      expect([status, body, headers.get('retry-after')]).toEqual([503, UNAVAILABLE, '5']);
    }
    const ready = await trilho.get('/readyz');
    expect([ready.status, ready.body]).toEqual([
      503,
      { status: 'unavailable', reason: 'the database does not answer' },
    ]);
    const health = async () => {
      const { status, body } = await trilho.get('/healthz');
      return [status, body];
    };
    expect(await health()).toEqual([200, { status: 'ok' }]);
    aheadMs = 60_000;
    expect(await health()).toEqual([503, { status: 'unhealthy', reason: 'the database has been away for a minute' }]);
    expect((await scrape()).size).toBeGreaterThan(10);
    // What the caller did wrong is reported all the same.
    expect((await trilho.get('/payments/balance')).status).toBe(401);
    expect((await trilho.get('/payments/nothing', apiKey)).status).toBe(404);
  } finally {
    await server.query(`ALTER DATABASE ${database()} ALLOW_CONNECTIONS true`);
  }

  expect((await trilho.get('/readyz')).status).toBe(200);
  expect((await trilho.get('/payments/balance', apiKey)).status).toBe(200);
  await trilho.until('the process is healthy again', async () => {
    const { status } = await trilho.get('/healthz');
    return status === 200 || null;
  });
  await trilho.pay(id);
  await trilho.until('worker and listener are back: the charge is paid', async () => {
    const { body } = await trilho.get(`/payments/transactions/${id}/status?type=pix_in`, apiKey);
    return (body.data as { status: string } | undefined)?.status === 'paid' || null;
  });
});

test('connections that are cut under load cost the requests they carried, and nothing after them', async () => {
  const seen: number[] = [];
  let cutting = true;
  const clients = Array.from({ length: 8 }, async () => {
    while (cutting) seen.push((await trilho.get('/payments/balance', apiKey)).status);
  });
  for (let times = 0; times < 10 || seen.length <= 20; times++) {
    await terminate();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  cutting = false;
  await Promise.all(clients);
  expect(seen.length).toBeGreaterThan(20);
  expect(seen.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  for (let times = 0; times < 20; times++) expect((await trilho.get('/payments/balance', apiKey)).status).toBe(200);
  expect(trilho.deps.db.pool.totalCount).toBeLessThanOrEqual(10);
});

test('a database that takes no writes is unavailable: 503 with a time to retry, until there is a primary again', async () => {
  const create = () => trilho.post('/payments/transactions', apiKey, { amount: 10 });
  await server.query(`ALTER DATABASE ${database()} SET default_transaction_read_only = on`);
  try {
    await terminate();
    const { status, body } = await trilho.until('the service is connected again', async () => {
      const ready = await trilho.get('/readyz');
      return ready.body.reason === 'the database does not answer' ? null : ready;
    });
    expect([status, body]).toEqual([503, { status: 'unavailable', reason: 'the database takes no writes' }]);
    const rejected = await create();
    expect([rejected.status, rejected.body, rejected.headers.get('retry-after')]).toEqual([503, UNAVAILABLE, '5']);
  } finally {
    await server.query(`ALTER DATABASE ${database()} RESET default_transaction_read_only`);
  }
  // In each lane that writes, one more write may get a connection from before.
  await trilho.until('a charge is created', async () => ((await create()).status < 300 ? true : null));
  await trilho.until('the service is ready', async () => ((await trilho.get('/readyz')).status === 200 ? true : null));
});
