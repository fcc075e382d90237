import { expect, test } from 'vitest';
import { batchCalls } from './batch-calls.ts';

const never = () => false;

test('calls that come together, and while a batch is under way, are one call each, and each gets its own result', async () => {
  const batches: number[][] = [];
  let goOn = () => {};
  const double = batchCalls(async (items: readonly number[]) => {
    batches.push([...items]);
    if (batches.length === 1) await new Promise<void>((resolve) => (goOn = resolve));
    return items.map((item) => item * 2);
  }, never);
  const first = [double(1), double(2)];
  await expect.poll(() => batches).toEqual([[1, 2]]);
  const later = [double(3), double(4)];
  goOn();
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8]);
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('no batch has more than 64 calls, however many wait', async () => {
  const lengths: number[] = [];
  const count = batchCalls(async (items: readonly number[]) => {
    lengths.push(items.length);
    return items;
  }, never);
  await Promise.all(Array.from({ length: 130 }, (_, item) => count(item)));
  expect(lengths).toEqual([64, 64, 2]);
});

test('a call that can’t be done fails alone, and one after it is done', async () => {
  const done: number[] = [];
  const store = batchCalls(
    async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error('not 2');
      done.push(...items);
      return items;
    },
    () => true,
  );
  const results = await Promise.allSettled([store(1), store(2), store(3)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await store(4)).toBe(4);
  expect(done).toEqual([1, 3, 4]);
});

test('a batch of which nobody knows whether it was done is not repeated: its calls fail', async () => {
  let runs = 0;
  const store = batchCalls(async () => {
    runs++;
    throw new Error('connection lost');
  }, never);
  const results = await Promise.allSettled([store(1), store(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(runs).toBe(1);
});
