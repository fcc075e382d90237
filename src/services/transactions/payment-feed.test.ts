import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPaymentFeed } from './payment-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A feed over rows that a test changes. */
function feedOf(rows: Record<string, string>, limits = { perVisitor: 2, total: 3 }) {
  const query = vi.fn(async ({ values: [ids] }: { values: [string[]] }) => ({
    rows: ids.filter((id) => id in rows).map((id) => ({ id, version: rows[id] })),
  }));
  const parts = { db: { pool: { query } }, secretBox: {}, log: { warn: vi.fn() } };
  return { query, feed: createPaymentFeed(parts as never, limits) };
}

/** Follows a payment until the end; returns what was received, and why it ended. */
function listen(feed: ReturnType<typeof feedOf>['feed'], transactionId: string, visitor: string) {
  const controller = new AbortController();
  const received: string[] = [];
  const listening = { received, end: undefined as unknown, leave: () => controller.abort() };
  void (async () => {
    for await (const { id, version } of feed.follow({ transactionId, visitor, signal: controller.signal }))
      received.push(`${id} ${version}`);
    listening.end = 'quietly';
  })().catch((error: unknown) => {
    listening.end = error;
  });
  return listening;
}

const id = (last: number) => `01a1fc74-0489-79b5-9c67-00000000000${last}`;

test('each stream gets the state of its own payment, at once and after a change, and never the same state twice', async () => {
  const rows = { [id(1)]: '10', [id(2)]: '20' };
  const { feed, query } = feedOf(rows);
  const one = listen(feed, id(1), 'a');
  const two = listen(feed, id(2), 'b');
  await vi.advanceTimersByTimeAsync(3_000);
  rows[id(2)] = '21';
  feed.wake();
  await vi.advanceTimersByTimeAsync(200);
  expect([one.received, two.received]).toEqual([[`${id(1)} 10`], [`${id(2)} 20`, `${id(2)} 21`]]);
  // One poll a second for all streams, and one for the wake.
  const looks = query.mock.calls.filter(([{ values }]) => values[0].length === 2);
  expect(looks).toHaveLength(4);
  one.leave();
  two.leave();
  await vi.advanceTimersByTimeAsync(0);
  expect([one.end, two.end, vi.getTimerCount()]).toEqual(['quietly', 'quietly', 0]);
});

test('a visitor’s oldest stream is ended for a new one; a full process rejects a visitor who has none', async () => {
  const { feed } = feedOf({ [id(1)]: '10' });
  const first = listen(feed, id(1), 'a');
  const second = listen(feed, id(1), 'a');
  const third = listen(feed, id(1), 'a');
  await vi.advanceTimersByTimeAsync(0);
  expect([first.end, second.end, third.end]).toEqual([
    expect.objectContaining({ code: 'invalid_state' }),
    undefined,
    undefined,
  ]);
  const other = listen(feed, id(1), 'b');
  const rejected = listen(feed, id(1), 'c');
  await vi.advanceTimersByTimeAsync(0);
  expect([other.end, rejected.end, rejected.received]).toEqual([
    undefined,
    expect.objectContaining({ code: 'invalid_state' }),
    [],
  ]);
  // A visitor who has a stream may replace it.
  const another = listen(feed, id(1), 'b');
  await vi.advanceTimersByTimeAsync(0);
  expect([other.end, another.end]).toEqual([expect.objectContaining({ code: 'invalid_state' }), undefined]);
  third.leave();
  await vi.advanceTimersByTimeAsync(0);
  const accepted = listen(feed, id(1), 'c');
  await vi.advanceTimersByTimeAsync(0);
  expect(accepted.received).toHaveLength(1);
  feed.stop();
});

test('an unknown payment has no stream, and a process that stops ends all streams without a last message', async () => {
  const { feed } = feedOf({ [id(1)]: '10' });
  const unknown = listen(feed, id(2), 'a');
  const known = listen(feed, id(1), 'b');
  await vi.advanceTimersByTimeAsync(0);
  feed.stop();
  const late = listen(feed, id(1), 'b');
  await vi.advanceTimersByTimeAsync(0);
  expect(unknown.end).toMatchObject({ code: 'transaction_not_found' });
  for (const { end } of [known, late]) expect(end).toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
});
