import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpHandlers } from './http-handlers.ts';
import { createHttpServer } from './http-server.ts';

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
        code: 'unavailable',
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

test('a process that is still starting is alive already', async () => {
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test('late clients are looked for every second, so that the time-outs are what they say', () => {
  expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([10_000, 30_000, 65_000]);
  expect((server as unknown as { connectionsCheckingInterval: number }).connectionsCheckingInterval).toBe(1_000);
});

test('a process that stops answers what it has begun, turns away what comes meanwhile, and then frees its port', async () => {
  let begun = () => {};
  let finish = () => {};
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const checkReadiness = () =>
    new Promise<null>((resolve) => {
      finish = () => resolve(null);
      begun();
    });
  const ignore = () => {};
  const stopping = createHttpServer();
  stopping.open({
    checkReadiness,
    log: { request: ignore, warn: ignore, error: ignore },
    metrics: { httpRequest: ignore },
    health: { isHealthy: () => true },
    stopping: () => false,
  } as unknown as HttpHandlers);
  await new Promise<void>((resolve) => stopping.server.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(stopping.server.address() as AddressInfo).port}`;
  const first = fetch(`${at}/readyz`);
  await isBegun;

  let isDrained = false;
  const drained = stopping.drain().then(() => {
    isDrained = true;
  });
  const late = await fetch(`${at}/healthz`);
  expect([late.status, late.headers.get('retry-after'), late.headers.get('connection')]).toEqual([503, '5', 'close']);
  expect(isDrained).toBe(false);
  finish();
  expect([(await first).status, await (await first).json()]).toEqual([200, { status: 'ready' }]);
  await drained;
  await expect(fetch(`${at}/healthz`)).rejects.toThrow();
});

describe('a client that holds its connection', () => {
  const timeouts = { headersMs: 60, requestMs: 120, keepAliveMs: 60, checkIntervalMs: 10 };
  const short = createHttpServer({ timeouts });
  beforeAll(() => new Promise<void>((resolve) => short.server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    short.server.closeAllConnections();
    short.server.close();
  });

  /** What came until the server closed the connection; `drip` is sent again and again meanwhile. */
  const held = (begin: string, drip: string) =>
    new Promise<string>((resolve) => {
      const socket = connect((short.server.address() as AddressInfo).port, '127.0.0.1');
      let text = '';
      const timer = setInterval(() => socket.write(drip), 10);
      socket.on('data', (bytes) => {
        text += String(bytes);
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        resolve(text);
      });
      socket.write(begin);
    });

  test.each([
    ['drips its headers', 'GET / HTTP/1.1\r\nhost: x\r\n', 'x: y\r\n'],
    ['drips the request line', 'GET /', 'a'],
  ])('gets an error and is cut when it %s', async (_what, begin, drip) => {
    expect(await held(begin, drip)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('is cut without an answer when it says nothing, as the connections do that a browser opens ahead', async () => {
    expect(await held('', '')).toBe('');
  });

  test('gets an error and is cut when it drips its body', async () => {
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n';
    expect(await held(head, 'a')).toMatch(/^HTTP\/1\.1 503 /);
  });

  test('is closed when it asks for nothing more', async () => {
    expect(await held('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', '')).toContain('"ok"');
  });
});
