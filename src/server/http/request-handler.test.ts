import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { DomainError } from '#domain/errors/domain-error.ts';
import { restError } from '../rest/errors.ts';
import { sendRestError } from '../rest/send-rest-error.ts';
import type { HttpHandlers } from './http-handlers.ts';
import type { RequestContext } from './request-context.ts';
import { createRequestHandler } from './request-handler.ts';

const closed = (res: ServerResponse) => new Promise<void>((resolve) => res.once('close', resolve));

test('a request whose client hangs up is logged with what it came to, once that is known', async () => {
  const [logged, counted, recorded] = [vi.fn(), vi.fn(), vi.fn()];
  const rest: NonNullable<HttpHandlers['web']>['rest'] = async (req, res, requestContext: RequestContext) => {
    Object.assign(requestContext, { route: '/payments/transfers/pix', accountId: 'a', keyId: 'k' });
    await closed(res);
    requestContext.failure = restError(new DomainError('insufficient_funds'));
    requestContext.responseBody = requestContext.failure.body;
    sendRestError(req, res, requestContext.failure);
  };
  const handle = createRequestHandler({
    web: { rest, publicUrl: 'http://localhost' },
    log: { request: logged },
    metrics: { httpRequest: counted },
    recordRequest: recorded,
  } as unknown as HttpHandlers);
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST /payments/transfers/pix HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\ncontent-length: 0\r\n\r\n');
  server.once('request', () => socket.destroy());

  await vi.waitFor(() => expect(recorded).toHaveBeenCalled());
  server.close();
  expect(recorded.mock.calls).toMatchObject([[{ status: 400, responseBody: { code: 'insufficient_funds' } }]]);
  expect(logged.mock.calls).toMatchObject([[{ status: 400, code: 'insufficient_funds' }]]);
  expect(counted.mock.calls).toMatchObject([[{ status: 400 }]]);
});

test('a process that is late takes 64 requests, rejects further ones with a time to retry, and still says how it is', async () => {
  const ignore = () => {};
  const waiting = new Set<ServerResponse>();
  let isLate = false;
  const handlers = {
    web: { rest: async (_: unknown, res: ServerResponse) => void waiting.add(res), publicUrl: 'http://localhost' },
    log: { request: ignore, error: ignore },
    metrics: { httpRequest: ignore },
    health: { isHealthy: () => true },
  };
  Object.assign(handlers.web, { visitors: { countStatic: ignore } });
  const server = createServer(createRequestHandler(handlers as unknown as HttpHandlers, () => isLate));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = () => fetch(`${url}/payments/balance`, { headers: { 'x-api-key': 'k' } });
  try {
    isLate = true;
    const all = Array.from({ length: 64 }, ask);
    await vi.waitFor(() => expect(waiting.size).toBe(64));
    const rejected = await ask();
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await rejected.json()).toMatchObject({ code: 'unavailable' });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    isLate = false;
    all.push(ask());
    await vi.waitFor(() => expect(waiting.size).toBe(65));
    isLate = true;
    for (const res of waiting) res.end();
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
    // What has ended makes room, and so does a stream that has begun.
    waiting.clear();
    const streams = Array.from({ length: 64 }, ask);
    await vi.waitFor(() => expect(waiting.size).toBe(64));
    for (const res of waiting) res.flushHeaders();
    all.push(ask());
    await vi.waitFor(() => expect(waiting.size).toBe(65));
    for (const res of waiting) res.end();
    expect(new Set((await Promise.all([...streams, ...all])).map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
