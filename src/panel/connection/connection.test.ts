import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConnection } from './connection.ts';
import { isLoadError } from './lazy-part.ts';
import { waitingFetch } from './observed-fetch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;
const navigation = { headers: { rsc: '1', 'next-router-state-tree': 'x' } };

test('one failed call of a service that is there changes nothing', async () => {
  const connection = createConnection(async () => true);
  const changed = vi.fn();
  connection.subscribe(changed);
  await connection.check();
  expect([connection.isReachable(), changed.mock.calls.length]).toEqual([true, 0]);
});

test('a service that is away is asked until it is there, every few seconds and never twice at once', async () => {
  let away = true;
  let asked = 0;
  const connection = createConnection(async () => {
    asked++;
    return !away;
  });
  const seen: boolean[] = [];
  const end = connection.subscribe(() => seen.push(connection.isReachable()));
  const back = Promise.all([connection.check(), connection.check()]);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(asked).toBeGreaterThan(15);
  expect(asked).toBeLessThan(30);
  away = false;
  await vi.advanceTimersByTimeAsync(3_000);
  await back;
  expect(seen).toEqual([false, true]);
  const before = asked;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(asked).toBe(before);
  end();
  away = true;
  void connection.check();
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual([false, true]);
});

test('a device that is online again is not kept waiting', async () => {
  let away = true;
  const connection = createConnection(async () => !away);
  const back = connection.check();
  await vi.advanceTimersByTimeAsync(10_000);
  away = false;
  connection.expedite();
  await back;
  expect(connection.isReachable()).toBe(true);
});

test.each([
  ['rejects connections', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['has a proxy in front that says so', async () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
  ['is starting', async () => new Response('{}', { status: 503 })],
])('a navigation to a service that %s waits, and continues when it is there', async (_how, fail) => {
  const fetch = vi.fn<typeof globalThis.fetch>().mockImplementationOnce(fail).mockImplementationOnce(fail);
  fetch.mockImplementation(async () => new Response('parts'));
  const check = vi.fn(async () => {});
  const answer = await waitingFetch(fetch, { check })('/test/extrato?_rsc=1', navigation);
  expect(await answer.text()).toBe('parts');
  expect([fetch.mock.calls.length, check.mock.calls.length]).toEqual([3, 2]);
});

test('a navigation that fails though the service is there is left to Next in the end', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(waitingFetch(fetch, { check: async () => {} })('/x', navigation)).rejects.toThrow(TypeError);
  expect(fetch).toHaveBeenCalledTimes(5);
});

test('a call, a prefetch and a navigation that the page ended fail at the first try', async () => {
  const aborted = new DOMException('The page was left.', 'AbortError');
  for (const [init, error] of [
    [undefined, new TypeError('Failed to fetch')],
    [{ headers: { rsc: '1', 'next-router-prefetch': '1' } }, new TypeError('Failed to fetch')],
    [navigation, aborted],
  ] as const) {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.reject(error));
    await expect(waitingFetch(fetch, { check: async () => {} })('/x', init)).rejects.toBe(error);
    expect(fetch).toHaveBeenCalledTimes(1);
  }
});

test('an error of code that did not arrive is distinguished from an error in the code', () => {
  const chunk = Object.assign(new Error('Failed to load chunk'), { name: 'ChunkLoadError' });
  const arrived = [
    chunk,
    new Error('Connection closed.'),
    new TypeError('Failed to fetch'),
    new TypeError('Load failed'),
  ];
  expect(arrived.map(isLoadError)).toEqual([true, true, true, true]);
  const broken = [new Error('x'), new TypeError('x is not a function'), 'text', null];
  expect(broken.map(isLoadError)).toEqual([false, false, false, false]);
});
