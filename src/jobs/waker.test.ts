import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '#db/connection/database.ts';
import { createWaker } from './waker.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp(query: (text: string) => Promise<unknown> = async () => {}) {
  const sent: string[] = [];
  const pool = {
    query(text: string) {
      sent.push(text);
      return query(text);
    },
  };
  return { sent, wake: createWaker({ pool } as unknown as Database) };
}

test('workers are woken at once', () => {
  const { sent, wake } = setUp();
  wake();
  expect(sent).toEqual(['NOTIFY trilho_tasks']);
});

test('a burst is one wake now and one at its end: commits queue behind every NOTIFY', () => {
  const { sent, wake } = setUp();
  for (let times = 0; times < 1_000; times++) wake();
  expect(sent.length).toBe(1);
  vi.advanceTimersByTime(19);
  expect(sent.length).toBe(1);
  vi.advanceTimersByTime(1);
  expect(sent.length).toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(sent.length).toBe(2);
});

test('work that never ends wakes at most every 20 ms', () => {
  const { sent, wake } = setUp();
  for (let ms = 0; ms < 1_000; ms++) {
    wake();
    vi.advanceTimersByTime(1);
  }
  expect(sent.length).toBeLessThanOrEqual(51);
  expect(sent.length).toBeGreaterThanOrEqual(49);
});

test('tasks written after the last wake of a burst are not left waiting', () => {
  const { sent, wake } = setUp();
  wake();
  vi.advanceTimersByTime(10);
  wake();
  vi.advanceTimersByTime(10);
  expect(sent.length).toBe(2);
  vi.advanceTimersByTime(25);
  wake();
  expect(sent.length).toBe(3);
});

test('a wake that can’t be sent is lost, and the next one is sent', async () => {
  const { sent, wake } = setUp(() => Promise.reject(new Error('the database is away')));
  wake();
  await vi.advanceTimersByTimeAsync(50);
  wake();
  expect(sent.length).toBe(2);
});
