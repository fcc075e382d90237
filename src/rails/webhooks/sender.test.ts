import type { lookup } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createUrlChecker, createWebhookSender, type WebhookSenderOptions } from './sender.ts';
import { resolving } from './testing/resolving.ts';

const OPEN = { allowHttpAndLoopback: true };
const STRICT = { allowHttpAndLoopback: false };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A receiver on loopback that counts its requests. */
async function receiver(answer: RequestListener): Promise<{ port: number; hits: () => number }> {
  let hits = 0;
  const server: Server = createServer((req, res) => {
    hits++;
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, hits: () => hits };
}

function send(url: string, policy = OPEN, options: WebhookSenderOptions = {}) {
  const sender = createWebhookSender(options);
  closing.push(() => sender.close());
  return sender.send({ url, policy, headers: { 'webhook-id': 'evt_1' }, body: '{}' });
}

test('an answer is kept with its status and what the receiver said', async () => {
  const { port } = await receiver((_req, res) => res.writeHead(202).end('thanks'));
  expect(await send(`http://127.0.0.1:${port}/hook`)).toMatchObject({ statusCode: 202, error: null, answer: 'thanks' });
});

test.each([
  'http://127.0.0.1',
  'http://localhost',
  'http://[::ffff:127.0.0.1]',
  'http://0.0.0.0',
  'http://2130706433',
  'http://0x7f.1',
])('loopback as %s is rejected on the connection for a caller that may not reach it', async (origin) => {
  const { port, hits } = await receiver((_req, res) => res.end());
  expect(await send(`${origin}:${port}/`, STRICT)).toMatchObject({ statusCode: null, error: 'blocked_address' });
  expect(hits()).toBe(0);
});

test.each([
  'http://169.254.169.254/latest',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://100.100.100.200/',
  'http://[fd00:ec2::254]/',
])('%s is rejected also where loopback is allowed', async (url) => {
  expect(await send(url, OPEN)).toMatchObject({ statusCode: null, error: 'blocked_address' });
});

test('a name is judged by the address that it is connected to', async () => {
  const { port, hits } = await receiver((_req, res) => res.end());
  const lookup = resolving('127.0.0.1');
  expect(await send(`http://rebinding.example:${port}/`, STRICT, { lookup })).toMatchObject({
    error: 'blocked_address',
  });
  expect(hits()).toBe(0);
  // Counter-check: the same name leads to the receiver for a caller that may reach it.
  expect(await send(`http://rebinding.example:${port}/`, OPEN, { lookup })).toMatchObject({ statusCode: 200 });
  expect(hits()).toBe(1);
});

test('a name with one private address among public ones is rejected', async () => {
  const both = ((_name: string, _options: object, done: (...args: unknown[]) => void) =>
    done(null, [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ])) as typeof lookup;
  expect(await send('https://two.example/', STRICT, { lookup: both })).toMatchObject({ error: 'blocked_address' });
});

// ASVS 15.3.2
test.each([301, 302, 307, 308])('a redirect (%i) is an answer, and is not followed', async (status) => {
  const inside = await receiver((_req, res) => res.end());
  const { port } = await receiver((_req, res) =>
    res.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end(),
  );
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: status });
  expect(inside.hits()).toBe(0);
});

test('a receiver that never answers, and one that drips, are given up on', async () => {
  const hanging = await receiver(() => {});
  expect(await send(`http://127.0.0.1:${hanging.port}/`, OPEN, { timeoutMs: 200 })).toMatchObject({
    statusCode: null,
    error: 'timeout',
  });
  const dripping = await receiver((_req, res) => {
    res.writeHead(200);
    const timer = setInterval(() => res.write('.'), 20);
    res.on('close', () => clearInterval(timer));
  });
  // Its status arrived: that is the answer, whatever happens to the body.
  expect(await send(`http://127.0.0.1:${dripping.port}/`, OPEN, { timeoutMs: 300 })).toMatchObject({ statusCode: 200 });
});

test('of a huge answer only the beginning is read', async () => {
  let written = 0;
  const { port } = await receiver((_req, res) => {
    const chunk = 'x'.repeat(65_536);
    const more = () => {
      while (!res.destroyed && written < 1e9 && res.write(chunk)) written += chunk.length;
    };
    res.on('drain', more);
    more();
  });
  const { answer } = await send(`http://127.0.0.1:${port}/`);
  expect(answer).toHaveLength(1_000);
  expect(written).toBeLessThan(1e8);
});

test('a broken connection and bad TLS are distinguished from an answer', async () => {
  const resetting = createTcpServer((socket) => socket.on('data', () => socket.resetAndDestroy()));
  await new Promise<void>((resolve) => resetting.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => resetting.close(resolve)));
  const { port } = resetting.address() as AddressInfo;
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: null, error: 'connection' });
  const plain = await receiver((_req, res) => res.end());
  expect((await send(`https://127.0.0.1:${plain.port}/`)).statusCode).toBeNull();
});

test.each([
  ['7', 7_000],
  // As late as the answer's own date, by a clock that is years behind ours, and nine seconds later.
  ['Wed, 21 Oct 2015 07:28:09 GMT', 9_000],
  ['Wed, 21 Oct 2015 07:27:00 GMT', 0],
  ['tomorrow GMT', null],
  ['7.5', null],
])('Retry-After is read in seconds or as a date: %s', async (asked, retryAfterMs) => {
  const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
  const { port } = await receiver((_req, res) => res.writeHead(429, { 'retry-after': asked, date }).end());
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: 429, retryAfterMs });
});

test('a name that can’t be resolved passes the first check, a literal private address does not', async () => {
  const check = createUrlChecker(() => new Date());
  expect(await check(new URL('https://name.invalid/'), STRICT)).toBe(true);
  expect(await check(new URL('https://10.1.2.3/'), STRICT)).toBe(false);
  expect(await check(new URL('https://127.0.0.1/'), OPEN)).toBe(true);
});
