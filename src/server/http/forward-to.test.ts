import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { forwardTo } from './forward-to.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** The URL of a server that forwards to one that answers by `listener`. */
async function front(listener: RequestListener): Promise<string> {
  const { handle } = forwardTo(await listen(listener));
  return `http://127.0.0.1:${await listen(handle)}`;
}

test('a request and its answer are forwarded unchanged', async () => {
  const url = await front(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    res.writeHead(418, { 'x-answer': 'own' });
    res.end(`${req.method} ${req.url} ${req.headers['x-asked']} ${Buffer.concat(chunks)}`);
  });
  const answer = await fetch(`${url}/sandbox/a?b=%C3%A7`, {
    method: 'PUT',
    headers: { 'x-asked': 'so' },
    body: 'body',
  });
  expect(answer.status).toBe(418);
  expect(answer.headers.get('x-answer')).toBe('own');
  expect(await answer.text()).toBe('PUT /sandbox/a?b=%C3%A7 so body');
});

test('where nobody listens the answer is 503 with a time to retry', async () => {
  const port = await listen(() => {});
  await new Promise<void>((resolve) => servers.pop()?.close(() => resolve()));
  const url = `http://127.0.0.1:${await listen(forwardTo(port).handle)}`;
  const answer = await fetch(url, { method: 'POST', body: 'body' });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
});

test('an answer that breaks off breaks off for the client too', async () => {
  const url = await front((_req, res) => {
    res.writeHead(200, { 'content-length': '10' });
    res.write('half', () => res.destroy());
  });
  const answer = await fetch(url);
  await expect(answer.text()).rejects.toThrow();
});

test('a forwarded request ends when its client hangs up', async () => {
  let begun: (req: IncomingMessage) => void = () => {};
  const started = new Promise<IncomingMessage>((resolve) => {
    begun = resolve;
  });
  const hungUp = new AbortController();
  const url = await front((req: IncomingMessage, _res: ServerResponse) => begun(req));
  const answer = fetch(url, { signal: hungUp.signal }).catch(() => 'hung up');
  const req = await started;
  const closed = new Promise<void>((resolve) => req.once('close', () => resolve()));
  hungUp.abort();
  await closed;
  expect(await answer).toBe('hung up');
});
