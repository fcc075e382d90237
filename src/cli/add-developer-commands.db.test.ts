import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { setDefaultLimits } from '#db/accounts/set-default-limits.ts';
import { DEFAULT_LIMITS } from '#domain/accounts/default-limits.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { createApiClient } from './developer/api-client.ts';
import { endOfEvents, followEvents, type ListedEvent, type Position } from './developer/follow-events.ts';
import { RECIPES } from './developer/recipes.ts';
import { createProgram } from './program.ts';

type Received = { headers: Record<string, string>; body: string };

let trilho: TestService;
let apiKey: string;
const received: Received[] = [];
let status = 200;
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  received.push({ headers: request.headers as Record<string, string>, body });
  response.writeHead(status, { location: '/elsewhere' }).end();
});
const forward = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  trilho = await startTestService();
  // As an installation has them.
  await setDefaultLimits(trilho.deps.db.pool, DEFAULT_LIMITS);
  ({ apiKey } = await trilho.openAccount({ currency: 'USDT_BSC', spreadBps: 150 }));
});
afterAll(async () => {
  receiver.close();
  await trilho.stop();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Runs a command as on a developer's machine, which has nothing but the address and a key. */
function typed(...args: string[]) {
  vi.stubEnv('TRILHO_URL', trilho.url);
  vi.stubEnv('TRILHO_HOME', trilho.home);
  vi.restoreAllMocks();
  const out = vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const ended = createProgram().parseAsync(args, { from: 'user' });
  return { ended, lines: () => out.mock.calls.map(([line]) => String(line)) };
}

/** Runs `listen` until `count` events were printed, then ends it as Ctrl-C does. */
async function listenFor(count: number, ...args: string[]): Promise<ListedEvent[]> {
  vi.stubEnv('TRILHO_API_KEY', apiKey);
  const { ended, lines } = typed('listen', '--json', ...args);
  await trilho.until(`${count} events`, async () => (lines().length >= count ? true : null));
  process.emit('SIGINT');
  await ended;
  return lines().map((line) => JSON.parse(line));
}

async function cancelledCharge(): Promise<string> {
  const id = transactionIdOf(await trilho.post('/payments/transactions', apiKey, { amount: 10 }));
  await trilho.post(`/payments/transactions/${id}/cancel`, apiKey, {});
  return id;
}

/** The state that the only listener has stored. */
function kept(): { secret: string; path: string } {
  const folder = join(trilho.home, 'listeners');
  const [name = ''] = readdirSync(folder);
  const path = join(folder, name);
  return { path, secret: (JSON.parse(readFileSync(path, 'utf8')) as { secret: string }).secret };
}

test('a listener forwards each event once, signed, also those from while it was away, and a receiver that fails does not stop it', async () => {
  const first = await cancelledCharge();
  // It begins now: earlier events are not forwarded.
  const events = listenFor(1, '--forward', forward());
  await trilho.until('it listens', async () => (vi.mocked(console.error).mock.calls.length >= 2 ? true : null));
  const second = await cancelledCharge();
  expect((await events).map(({ transaction_id: id }) => id)).toEqual([second]);
  expect(received).toHaveLength(1);

  status = 302;
  const [third, fourth] = [await cancelledCharge(), await cancelledCharge()];
  const meanwhile = await listenFor(2, '--forward', forward());
  expect(meanwhile.map(({ transaction_id: id }) => id)).toEqual([third, fourth]);
  expect(meanwhile).toMatchObject([{ forwarded: { status: 302 } }, { forwarded: { status: 302 } }]);
  expect(received).toHaveLength(3);

  const { secret, path } = kept();
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(readFileSync(path, 'utf8')).not.toContain(apiKey);
  for (const { headers, body } of received) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'pix_in.cancelled' });
    expect(() => new Webhook(secret).verify(body.replace('10', '11'), headers)).toThrow();
  }
  const all = await listenFor(4, '--since', '2020-01-01T00:00:00Z', '--events', 'pix_in.cancelled');
  expect(all.map(({ transaction_id: id }) => id)).toEqual([first, second, third, fourth]);
});

test('a Ctrl-C, which npm and the terminal both send, ends a listener once what it forwards is answered and noted', async () => {
  let answer = () => {};
  const slow = createServer((_, response) => {
    answer = () => void response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const arrived = new Promise((resolve) => slow.once('request', resolve));
  const listener = spawn(process.execPath, ['src/cli/main.ts', 'listen', '--json', '--fresh', '--forward', url], {
    env: { ...process.env, TRILHO_URL: trilho.url, TRILHO_HOME: trilho.home, TRILHO_API_KEY: apiKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => listener.once('exit', (code, signal) => resolve({ code, signal })));
  await new Promise((resolve) => listener.stderr.once('data', resolve));
  const id = await cancelledCharge();
  await arrived;
  for (let sent = 0; sent < 2; sent++) {
    listener.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  answer();
  expect(await ended).toEqual({ code: 0, signal: null });
  const { body } = await trilho.get(`/events?transaction_id=${id}`, apiKey);
  expect(readFileSync(kept().path, 'utf8')).toContain((body.data as ListedEvent[])[0]?.event_id);
  slow.close();
});

test('a listener goes on after the service was away, and misses nothing', async () => {
  const api = createApiClient(trilho.url, apiKey);
  const from = await endOfEvents(api);
  let isAway = true;
  const flaky = {
    ...api,
    get: (path: string, query?: Record<string, string>) => (isAway ? away.get(path, query) : api.get(path, query)),
  };
  const away = createApiClient('http://127.0.0.1:1', apiKey);
  const [said, handled]: [string[], ListedEvent[]] = [[], []];
  let saved: Position = from;
  const end = new AbortController();
  const following = followEvents(flaky as typeof api, {
    ...{ from, types: null, signal: end.signal, say: (line: string) => void said.push(line) },
    handle: async (event) => void handled.push(event),
    save: (position) => {
      saved = position;
    },
  });
  await trilho.until('it is away', async () => (said.length > 0 ? true : null));
  const id = await cancelledCharge();
  isAway = false;
  await trilho.until('it is back', async () => (handled.length > 0 && said.length > 1 ? true : null));
  end.abort();
  await following;
  expect(handled.map(({ transaction_id }) => transaction_id)).toEqual([id]);
  expect(said).toEqual([expect.stringContaining('trying again'), 'The connection is back.']);
  expect(saved.seen).toContain(handled[0]?.event_id);
});

test.each(['pix_in.cancelled', 'pix_out.failed', 'crypto_in.overpaid', 'crypto_out.failed'])(
  '%s is triggered with the API alone, on an account whose quotes have a spread',
  async (type) => {
    vi.stubEnv('TRILHO_API_KEY', apiKey);
    const { ended, lines } = typed('trigger', type, '--json');
    await ended;
    expect(JSON.parse(lines().at(-1) ?? '')).toMatchObject({ type });
  },
  60_000,
);

test('every event that can be triggered is listed, and the API knows its type', async () => {
  const { ended, lines } = typed('trigger', '--json');
  await ended;
  const listed = JSON.parse(lines()[0] ?? '') as { event: string }[];
  expect(listed.map(({ event }) => event)).toEqual(Object.keys(RECIPES));
  const { status: answer } = await trilho.get(`/events?type=${Object.keys(RECIPES).join(',')}`, apiKey);
  expect(answer).toBe(200);
});

test.each([
  ['no key', '', ['trigger', 'pix_in.paid'], 'TRILHO_API_KEY'],
  ['a live account’s key', 'tr_live_abc', ['listen'], 'test account'],
  ['an event that can’t be triggered', 'tr_test_abc', ['trigger', 'pix_in.review'], "can't be triggered"],
  ['an invalid address', 'tr_test_abc', ['listen', '--forward', 'localhost:4000'], 'such as http://localhost:4000'],
  ['a key that is unknown', 'tr_test_abc', ['listen'], 'chave de API'],
])('a developer’s command with %s ends with an error that names the problem', async (_, key, args, says) => {
  vi.stubEnv('TRILHO_API_KEY', key);
  await expect(typed(...args).ended).rejects.toThrow(says);
});

test('a developer’s command that the API rejects for its fields says which they are', async () => {
  vi.stubEnv('TRILHO_API_KEY', apiKey);
  const rejected = expect(typed('listen', '--events', 'pix_in.payed').ended).rejects;
  await rejected.toThrow(/type: Envie um ou mais de: pix_in\.paid, /);
});
