import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMember } from './panel-browser.ts';
import { type Answer, startTestService, type TestService } from './test-service.ts';
import { transactionIdOf } from './transaction-id-of.ts';

/** One account's trouble costs other accounts nothing. */
let trilho: TestService;
let server: pg.Client;
beforeAll(async () => {
  trilho = await startTestService();
  server = new pg.Client({ connectionString: trilho.ownerUrl });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await trilho.stop();
});

const FLOOD = 150;

const withdraw = (apiKey: string) =>
  trilho.post('/payments/transfers/pix', apiKey, { amount: 1, pixKey: 'a@b.co', pixKeyType: 'EMAIL' });

test('while one account’s rows are locked and its requests pile up, another account is served, and the surplus of the first gets 429', async () => {
  const stuck = await trilho.openAccount();
  const other = await trilho.openAccount();
  const { browser } = await openMember(trilho, 'contention@example.com');
  const charge = await trilho.post('/payments/transactions', other.apiKey, { amount: 10 });
  const id = transactionIdOf(charge);

  await server.query('BEGIN');
  await server.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [stuck.accountId]);
  await server.query('SELECT FROM ledger_accounts WHERE account_id = $1 FOR UPDATE', [stuck.accountId]);
  const rejected: Answer[] = [];
  const answered: Answer[] = [];
  const flood = Array.from({ length: FLOOD }, () =>
    withdraw(stuck.apiKey).then((answer) => (answer.status === 429 ? rejected : answered).push(answer)),
  );
  // The requests that fit run or wait; the others are rejected at once.
  while (rejected.length === 0) await sleep(5);

  for (let times = 0; times < 5; times++) {
    const answers = await Promise.all([
      trilho.post('/payments/transactions', other.apiKey, { amount: 10 }),
      withdraw(other.apiKey),
      trilho.get('/payments/balance', other.apiKey),
      trilho.get(`/payments/transactions/${id}/status?type=pix_in`, other.apiKey),
      trilho.get(`/api/trpc/payment.get?input=${encodeURIComponent(JSON.stringify({ transactionId: id }))}`),
      browser.get('/api/trpc/test/session.me'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 200, 200, 200]);
    expect((await trilho.get('/readyz')).status).toBe(200);
  }
  // The lock is still held: no request got through it.
  expect(answered.filter(({ status }) => status < 500)).toEqual([]);

  await server.query('ROLLBACK');
  await Promise.all(flood);
  for (const { headers } of [...rejected, ...answered.filter(({ status }) => status >= 500)])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answered.filter(({ status }) => status !== 503 && status !== 400)).toEqual([]);
  expect((await withdraw(stuck.apiKey)).status).toBe(400);
});
