import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { isolateListeners } from '#testing/isolate-listeners.ts';
import { withoutInterruption } from './without-interruption.ts';

isolateListeners(['SIGINT', 'SIGTERM', 'SIGHUP']);
afterEach(() => vi.restoreAllMocks());

test('a Ctrl-C that reaches a command several times lets it clean up, and another one a second later ends it at once', async () => {
  const exit = vi.fn();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(5_000);
  let isCleanedUp = false;
  const done = withoutInterruption(async (signal) => {
    await new Promise((_resolve, reject) => signal.addEventListener('abort', reject)).finally(async () => {
      await sleep(50);
      isCleanedUp = true;
    });
  }, exit);
  // The terminal's own, npm's and that of scripts/trilho.mjs: without a listener each ends the
  // process.
  for (let times = 0; times < 3; times++) {
    expect(process.listenerCount('SIGINT')).toBeGreaterThan(0);
    process.emit('SIGINT');
  }
  expect(exit).not.toHaveBeenCalled();
  clock.mockReturnValue(6_001);
  process.emit('SIGTERM');
  expect(exit.mock.calls).toEqual([[130]]);
  await expect(done).rejects.toThrow('nothing is left behind');
  expect(isCleanedUp).toBe(true);
});
