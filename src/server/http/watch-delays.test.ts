import { expect, test, vi } from 'vitest';
import { watchDelays } from './watch-delays.ts';

test('a process counts as late while it is a second late with what is due, and for five seconds after', () => {
  vi.useFakeTimers();
  let now = 0;
  const watch = watchDelays(() => now);
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 250) {
      now += 250;
      vi.advanceTimersByTime(250);
    }
  };
  try {
    pass(10_000);
    expect(watch.isLate()).toBe(false);
    now += 1_000;
    expect(watch.isLate()).toBe(false);
    // A quarter of a second was not due yet.
    now += 250;
    expect(watch.isLate()).toBe(true);
    pass(4_750);
    expect(watch.isLate()).toBe(true);
    pass(500);
    expect(watch.isLate()).toBe(false);
    // Noticed by the timer itself, with no request to ask.
    now += 2_000;
    pass(1_000);
    expect(watch.isLate()).toBe(true);
  } finally {
    watch.stop();
    vi.useRealTimers();
  }
});
