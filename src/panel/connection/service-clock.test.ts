import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createServiceClock } from './service-clock.ts';

const PANEL = join(import.meta.dirname, '..');
const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-20T15:00:00.000Z');

/** A clock on a device that is so many milliseconds wrong, and an answer by the service's own. */
function deviceOff(offMs: number) {
  let now = NOON;
  const clock = createServiceClock(() => now + offMs);
  const answer = ({ tripMs = 80, precisionMs = 1_000 } = {}) => {
    const sentAt = now + offMs;
    const madeAt = now + tripMs / 2;
    const madeFrom = precisionMs === 0 ? madeAt : Math.floor(madeAt / precisionMs) * precisionMs;
    now += tripMs;
    clock.note({ sentAt, receivedAt: now + offMs, madeFrom, madeTo: madeFrom + precisionMs });
  };
  return { clock, answer, errorMs: () => Math.abs(clock.now().getTime() - now), passes: (ms: number) => (now += ms) };
}

test.each([3 * 24 * HOUR_MS, HOUR_MS, -HOUR_MS, -400 * 24 * HOUR_MS])(
  'a device whose clock is wrong by %d ms knows the service’s time within a second after one answer',
  (offMs) => {
    const { answer, errorMs } = deviceOff(offMs);
    answer();
    expect(errorMs()).toBeLessThan(1_000);
  },
);

test('a device whose clock is right keeps it, however long answers take', () => {
  const { clock, answer, passes } = deviceOff(0);
  for (const tripMs of [1, 80, 999, 12_000, 30]) {
    answer({ tripMs });
    answer({ tripMs, precisionMs: 0 });
    passes(317);
    expect(clock.aheadMs()).toBe(0);
  }
});

test('the service’s time does not move back and forth between answers', () => {
  const { clock, answer, passes } = deviceOff(HOUR_MS);
  answer({ precisionMs: 0, tripMs: 20 });
  const aheadMs = clock.aheadMs();
  for (const tripMs of [40, 700, 8_000, 60]) {
    passes(431);
    answer({ tripMs });
    expect(clock.aheadMs()).toBe(aheadMs);
  }
});

test('an answer without a time, and one during which the device’s clock was set back, change nothing', () => {
  const { clock, answer } = deviceOff(HOUR_MS);
  answer({ precisionMs: 0 });
  const aheadMs = clock.aheadMs();
  clock.note({ sentAt: NOON, receivedAt: NOON + 5, madeFrom: Number.NaN, madeTo: Number.NaN });
  clock.note({ sentAt: NOON, receivedAt: NOON - HOUR_MS, madeFrom: NOON, madeTo: NOON });
  expect(clock.aheadMs()).toBe(aheadMs);
});

/** What lasts on this device alone, or is shown by the offset of its own answers. */
const OWN_CLOCK = [
  'connection/load-error.tsx',
  'connection/service-clock.ts',
  'connection/observed-fetch.ts',
  'docs/webhook-samples.ts',
  'drafts/kept.ts',
  'page-data/hydrate-queries.tsx',
  'payment/arrived-at.ts',
  'payment/countdown.tsx',
  // Made on the server, for the page's first data.
  'statement/statement-state.ts',
];

test('no page goes by the device’s clock where the service’s counts', () => {
  const asking = readdirSync(PANEL, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$/.test(path))
    .filter((path) => /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(join(PANEL, path), 'utf8')));
  expect(asking.sort()).toEqual([...OWN_CLOCK].sort());
});
