import { expect, test } from 'vitest';
import { createGate } from './gate.ts';

test('a limited number of calls of one key run at once, a limited number wait in order, the rest is rejected at once', async () => {
  const gate = createGate({ running: 2, waiting: 2, waitMs: 60_000 });
  const leaves = await Promise.all([gate.enter('a'), gate.enter('a')]);
  const order: number[] = [];
  const waiting = [1, 2].map((n) => gate.enter('a').then((leave) => [order.push(n), leave] as const));
  expect(await gate.enter('a')).toBeNull();
  leaves[0]?.();
  const [, third] = (await waiting[0]) ?? [];
  expect(order).toEqual([1]);
  third?.();
  await waiting[1];
  expect(order).toEqual([1, 2]);
});

test('one key that is full has no effect on another', async () => {
  const gate = createGate({ running: 1, waiting: 0, waitMs: 60_000 });
  await gate.enter('a');
  expect(await gate.enter('a')).toBeNull();
  expect(await gate.enter('b')).not.toBeNull();
});

test('a caller who waits too long is rejected, and takes no place afterwards', async () => {
  const gate = createGate({ running: 1, waiting: 1, waitMs: 5 });
  const leave = await gate.enter('a');
  expect(await gate.enter('a')).toBeNull();
  leave?.();
  expect(await gate.enter('a')).not.toBeNull();
});

test('leaving twice gives back one place', async () => {
  const gate = createGate({ running: 1, waiting: 0, waitMs: 5 });
  const leave = await gate.enter('a');
  leave?.();
  const other = await gate.enter('a');
  leave?.();
  expect(other).not.toBeNull();
  expect(await gate.enter('a')).toBeNull();
});

test('work that fails gives its place back; work without a place is unavailable', async () => {
  const gate = createGate({ running: 1, waiting: 0, waitMs: 5 });
  await expect(gate.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await gate.run('a', async () => {
    await expect(gate.run('a', async () => 1)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
