import { expect, test } from 'vitest';
import { sleep } from './sleep.ts';

/** Far longer than a test may take. */
const LONG_MS = 2 ** 30;

test('a wait ends by itself', async () => {
  await expect(sleep(1, undefined)).resolves.toBeUndefined();
});

test('a wait ends without an error when it is aborted, before or in it', async () => {
  await expect(sleep(LONG_MS, AbortSignal.abort())).resolves.toBeUndefined();
  const controller = new AbortController();
  const waiting = sleep(LONG_MS, controller.signal);
  controller.abort();
  await expect(waiting).resolves.toBeUndefined();
});
