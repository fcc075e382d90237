import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

const TOKEN = 'a-token-that-is-not-guessed';

let real: TestService;
let withToken: TestService;
beforeAll(async () => {
  real = await startTestService({ variables: { DEMO: 'false' } });
  withToken = await startTestService({ variables: { DEMO: 'false', METRICS_TOKEN: TOKEN } });
});
afterAll(async () => {
  await real?.stop();
  await withToken?.stop();
});

const statusOf = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers }).then(({ status }) => status);

// ASVS 13.4.5
test('outside of a demo neither the metrics nor the sandbox are on the port that everybody reaches', async () => {
  for (const path of ['/metrics', '/sandbox/cob/x', '/sandbox/control/switches', '/sandbox'])
    expect([path, await statusOf(real.url + path)]).toEqual([path, 404]);
  expect(await statusOf(`${real.operationsUrl}/metrics`)).toBe(200);
  expect(await statusOf(`${real.operationsUrl}/healthz`)).toBe(200);
  // The sandbox answers: it wants its own credentials.
  expect(await statusOf(`${real.operationsUrl}/sandbox/control/switches`)).not.toBe(404);
  expect(await statusOf(`${real.operationsUrl}/payments/balance`)).toBe(404);
  expect(await statusOf(`${real.operationsUrl}/api/trpc/session.me`)).toBe(404);
  expect([await statusOf(`${real.url}/healthz`), await statusOf(`${real.url}/readyz`)]).toEqual([200, 200]);
});

test('the service itself reaches its sandbox on the operations port: a test account is paid', async () => {
  const { apiKey } = await real.openAccount();
  await makePaidCharge(real, apiKey, { amount: 10 });
});

test('with a token the metrics are on both ports, for requests that carry it', async () => {
  for (const base of [withToken.url, withToken.operationsUrl]) {
    expect(await statusOf(`${base}/metrics`, { authorization: `Bearer ${TOKEN}` })).toBe(200);
    for (const authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN])
      expect(await statusOf(`${base}/metrics`, authorization ? { authorization } : {})).toBe(404);
  }
});
