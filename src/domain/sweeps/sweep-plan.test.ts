import { expect, test } from 'vitest';
import { nextSweepAt, SWEEP_PLAN } from './sweep-plan.ts';

/** A Friday, 12:00 in São Paulo. */
const NOW = new Date('2026-11-20T15:00:00Z');

test('recent payments are read every ten minutes, three days each night, a quarter each Sunday', () => {
  expect(nextSweepAt('recent', NOW)).toEqual(new Date('2026-11-20T15:10:00Z'));
  expect(nextSweepAt('days', NOW)).toEqual(new Date('2026-11-21T06:00:00Z'));
  expect(nextSweepAt('sent_recent', NOW)).toEqual(nextSweepAt('recent', NOW));
  expect(nextSweepAt('sent_days', NOW)).toEqual(nextSweepAt('days', NOW));
  expect(nextSweepAt('quarter', NOW)).toEqual(new Date('2026-11-22T07:00:00Z'));
});

test('a Sunday’s sweep is due again the Sunday after it', () => {
  expect(nextSweepAt('quarter', new Date('2026-11-22T07:00:00Z'))).toEqual(new Date('2026-11-29T07:00:00Z'));
});

test('each sweep looks further back than the time to the next one, so that nothing falls between two', () => {
  for (const span of ['recent', 'days', 'sent_recent', 'sent_days'] as const) {
    const pause = nextSweepAt(span, NOW).getTime() - NOW.getTime();
    expect(SWEEP_PLAN[span].lengthMs).toBeGreaterThan(2 * pause);
  }
});
