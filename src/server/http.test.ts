import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from './http.ts';

const { server } = createHttpServer();
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each(['/payments/balance', '/api/payments/transactions', '/readyz', '/'])(
  'a process that is still starting says so at %s, and when to come back',
  async (path) => {
    const response = await fetch(url + path);
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        success: false,
        error: 'Serviço indisponível',
        message: 'O serviço está temporariamente indisponível. Tente de novo em instantes.',
      },
    ]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '5',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  },
);

test('it lives already', async () => {
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test('a client that drips its request does not hold a connection for long', () => {
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 30_000]);
});
