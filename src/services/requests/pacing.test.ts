import { expect, test } from 'vitest';
import type { Database } from '#db/connection/database.ts';
import { createPacing, waitMsFor } from './pacing.ts';

/** A queue with this many due tasks, and a clock that the test moves. */
function setUp(queue: { due: number | Error; dueForMs?: number }) {
  const waited: number[] = [];
  let now = Date.parse('2026-11-23T12:00:00Z');
  let looks = 0;
  const pool = {
    async query() {
      looks++;
      if (queue.due instanceof Error) throw queue.due;
      return { rows: [{ due: BigInt(queue.due), oldestDueAt: new Date(now - (queue.dueForMs ?? 0)) }] };
    },
  };
  const pace = createPacing({ db: { pool } as unknown as Database, clock: () => new Date(now) }, async (ms) => {
    waited.push(ms);
  });
  return {
    waited,
    looks: () => looks,
    async request(afterMs = 1_000, account = 'one') {
      now += afterMs;
      await pace(account);
      // The queue is read while the request goes on.
      await new Promise(setImmediate);
    },
  };
}

test('a request waits the longer the more tasks are due, and a second at most', () => {
  expect([0, 64, 532, 1_000, 1_000_000].map(waitMsFor)).toEqual([0, 0, 500, 1_000, 1_000]);
});

test('no request waits while the worker keeps up', async () => {
  const { request, waited } = setUp({ due: 64 });
  await request();
  await request();
  expect(waited).toEqual([]);
});

test('requests wait while many tasks are due, and no longer than that', async () => {
  const queue = { due: 1_000 };
  const { request, waited } = setUp(queue);
  await request();
  await request();
  expect(waited).toEqual([1_000]);
  queue.due = 0;
  await request();
  await request();
  expect(waited).toEqual([1_000, 1_000]);
});

test('the queue is read four times a second at most, however many requests there are', async () => {
  const { request, looks } = setUp({ due: 0 });
  for (let requests = 0; requests < 100; requests++) await request(10);
  expect(looks()).toBe(4);
});

test('no request waits once a task has been due for 15 seconds, because then no worker is running', async () => {
  const queue = { due: 1_000, dueForMs: 14_999 };
  const { request, waited } = setUp(queue);
  await request();
  await request();
  expect(waited).toEqual([1_000]);
  queue.dueForMs = 15_000;
  await request();
  await request();
  expect(waited).toEqual([1_000, 1_000]);
});

test('an account’s flood makes that account wait, and another one only for its share of the requests', async () => {
  const { request, waited } = setUp({ due: 1_000 });
  for (let requests = 0; requests < 20; requests++) await request(10, 'flooder');
  waited.length = 0;
  await request(10, 'other');
  await request(10, 'other');
  await request(10, 'other');
  expect(waited).toEqual([50, 100]);
  await request(10, 'flooder');
  expect(waited).toEqual([50, 100, 1_000]);
});

test('accounts that make as many requests wait as long', async () => {
  const { request, waited } = setUp({ due: 1_000 });
  for (let round = 0; round < 5; round++) for (const account of ['one', 'other']) await request(10, account);
  waited.length = 0;
  for (const account of ['one', 'other', 'one', 'other']) await request(10, account);
  // Whoever comes second has made one fewer than the first then.
  expect(waited).toEqual([1_000, 833, 1_000, 857].map((ms) => expect.closeTo(ms, 0)));
});

test('requests of two seconds ago do not count', async () => {
  const { request, waited } = setUp({ due: 1_000 });
  for (let requests = 0; requests < 20; requests++) await request(10, 'flooder');
  await request(999, 'other');
  waited.length = 0;
  await request(1_000, 'other');
  await request(10, 'flooder');
  expect(waited).toEqual([1_000]);
});

test('a database that does not answer slows no request', async () => {
  const queue: { due: number | Error } = { due: 1_000 };
  const { request, waited } = setUp(queue);
  await request();
  queue.due = new Error('the database is away');
  await request();
  await request();
  expect(waited).toEqual([1_000]);
});
