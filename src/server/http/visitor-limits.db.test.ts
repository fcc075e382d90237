import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BATCH_CALLS_MAX } from '#contract/batch-calls-max.ts';
import { pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import { openMember } from '#testing/panel-browser.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/** The limits without an API key, over HTTP: low ones, so that they are reached. */
const POINTS = 60;

let trilho: TestService;
beforeAll(async () => {
  const variables = { RATE_LIMIT_ANONYMOUS: String(POINTS), TRUSTED_PROXIES: '127.0.0.1' };
  trilho = await startTestService({ variables });
});
afterAll(() => trilho.stop());

const from = (address: string) => ({ 'x-forwarded-for': address });

/** `calls` times payment.get in one request. */
function batch(calls: number): string {
  const input = Object.fromEntries(Array.from({ length: calls }, (_, n) => [n, { transactionId: randomUUID() }]));
  const paths = Array.from({ length: calls }, () => 'payment.get').join(',');
  return `/api/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`;
}

const rejectionOf = (answer: { status: number; headers: Headers; body: Record<string, unknown> }) => [
  answer.status,
  answer.body.error,
  Number(answer.headers.get('retry-after')) > 0,
  answer.headers.get('ratelimit-remaining'),
];
const LIMITED = [429, 'Limite de requisições excedido', true, '0'];

test('a batch above the maximum is 400, however it is sent', async () => {
  const visitor = from('198.51.100.1');
  expect((await trilho.get(batch(BATCH_CALLS_MAX), undefined, visitor)).status).toBe(404);
  expect((await trilho.get(batch(BATCH_CALLS_MAX + 1), undefined, visitor)).status).toBe(400);
  expect((await trilho.get(batch(120), undefined, visitor)).status).toBe(400);
  const origin = trilho.url;
  const paths = Array.from({ length: 120 }, () => 'session.signUp').join(',');
  const posted = await trilho.post(`/api/trpc/${paths}?batch=1`, undefined, {}, { ...visitor, origin });
  expect(posted.status).toBe(400);
});

test('a batch above the maximum counts as the longest that is served, so that it can’t be sent without limit', async () => {
  const visitor = from('198.51.100.7');
  for (let n = 0; n < POINTS / BATCH_CALLS_MAX; n++)
    expect((await trilho.get(batch(BATCH_CALLS_MAX + 1), undefined, visitor)).status).toBe(400);
  expect(rejectionOf(await trilho.get(batch(BATCH_CALLS_MAX + 1), undefined, visitor))).toEqual(LIMITED);
});

// ASVS 2.4.1
test('a batch counts as the calls in it; an address that asked for too much is rejected before the database is asked', async () => {
  const visitor = { ...from('2001:db8:1:2::1'), cookie: 'trilho.session_token=made.up' };
  for (let n = 0; n < POINTS / 10; n++) expect((await trilho.get(batch(10), undefined, visitor)).status).toBe(404);
  const asked = vi.spyOn(pg.Pool.prototype, 'query');
  const stream = '/api/trpc/payment.follow?input={}';
  for (const path of [
    batch(1),
    stream,
    '/api/trpc/test/session.me',
    '/api/auth/verify-email?token=x',
    '/export/test/x.csv',
  ]) {
    expect(rejectionOf(await trilho.get(path, undefined, visitor))).toEqual(LIMITED);
    // A client with one address of a /64 has them all.
    expect((await trilho.get(path, undefined, { ...visitor, ...from('2001:db8:1:2:ffff::9') })).status).toBe(429);
  }
  const questions = asked.mock.calls
    .map(([query]) => JSON.stringify(query))
    .filter((text) => /FROM (sessions|transactions|login_tokens)/.test(text));
  asked.mockRestore();
  expect(questions).toEqual([]);
  expect((await trilho.get(batch(1), undefined, from('2001:db8:1:3::1'))).status).toBe(404);
});

test('a member whose session is known is served, whatever others do at the same address', async () => {
  const { browser } = await openMember(trilho, 'visitor@example.com');
  const office = from('198.51.100.2');
  const me = () => browser.get('/api/trpc/test/session.me', office).then(({ status }) => status);
  expect(await me()).toBe(200);
  for (let n = 0; n < POINTS; n++) await trilho.get(batch(1), undefined, office);
  expect((await trilho.get(batch(1), undefined, office)).status).toBe(429);
  expect(await me()).toBe(200);
  await browser.post('/api/auth/sign-out', {}, from('198.51.100.3'));
  await browser.get('/api/trpc/test/session.me', from('198.51.100.3'));
  expect(await me()).toBe(429);
});

test('a sign-in costs as much as thirty queries', async () => {
  const headers = { ...from('198.51.100.4'), origin: trilho.url };
  const signIn = () =>
    trilho.post(
      '/api/auth/sign-in/email',
      undefined,
      { email: 'nobody@example.com', password: 'x'.repeat(20) },
      headers,
    );
  expect([(await signIn()).status, (await signIn()).status]).toEqual([401, 401]);
  expect(rejectionOf(await signIn())).toEqual(LIMITED);
});

test('forged callbacks are soon rejected; the provider’s own pass, also from an address that is over its limit', async () => {
  const provider = from('198.51.100.5');
  const genuine = `${new URL(pixCallbackUrl(trilho.url, trilho.deps.secretBox, 'sandbox')).pathname}/pix`;
  const forged = '/inbound/pix/sandbox/0123456789abcdef/pix';
  expect((await trilho.post(forged, undefined, {}, provider)).status).toBe(401);
  expect(rejectionOf(await trilho.post(forged, undefined, {}, provider))).toEqual(LIMITED);
  for (let n = 0; n < 20; n++) expect((await trilho.post(genuine, undefined, { pix: [] }, provider)).status).toBe(200);
});

test('what is answered without the database has a limit of its own, four times as high', async () => {
  const visitor = from('198.51.100.6');
  const paths = ['/healthz', '/api/openapi.json', '/nothing', '/payments/balance'];
  for (let n = 0; n < POINTS; n++)
    await Promise.all(
      paths.map((path) => trilho.get(path, undefined, visitor).then(({ status }) => expect(status).not.toBe(429))),
    );
  for (const path of paths) expect(rejectionOf(await trilho.get(path, undefined, visitor))).toEqual(LIMITED);
  // A key is counted by itself.
  const { apiKey } = await trilho.openAccount();
  expect((await trilho.get('/payments/balance', apiKey, visitor)).status).toBe(200);
});
