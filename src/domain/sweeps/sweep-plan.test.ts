import { expect, test } from 'vitest';
import { nextSweepAt, SWEEP_PLAN } from './sweep-plan.ts';

/** A Friday, 12:00 in São Paulo. */
const NOW = new Date('2026-11-20T15:00:00Z');
const nextAt = (span: keyof typeof SWEEP_PLAN, now: Date, rail = 'psp') => nextSweepAt({ span, rail }, now);

test('recent payments are read every ten minutes, three days each night, a quarter each Sunday', () => {
  expect(nextAt('recent', NOW)).toEqual(new Date('2026-11-20T15:10:00Z'));
  expect(nextAt('days', NOW)).toEqual(new Date('2026-11-21T06:00:00Z'));
  expect(nextAt('sent_recent', NOW)).toEqual(nextAt('recent', NOW));
  expect(nextAt('sent_days', NOW)).toEqual(nextAt('days', NOW));
  expect(nextAt('quarter', NOW)).toEqual(new Date('2026-11-22T07:00:00Z'));
  expect(nextAt('sent_quarter', NOW)).toEqual(nextAt('quarter', NOW));
});

test('a Sunday’s sweep is due again the Sunday after it', () => {
  expect(nextAt('quarter', new Date('2026-11-22T07:00:00Z'))).toEqual(new Date('2026-11-29T07:00:00Z'));
});

test('each sweep looks further back than the time to the next one, so that nothing falls between two', () => {
  const ofPsps = ['recent', 'days', 'sent_recent', 'sent_days', 'sent_quarter', 'disputes_recent'] as const;
  for (const span of [...ofPsps, 'disputes_quarter'] as const) {
    const pause = nextAt(span, NOW).getTime() - NOW.getTime();
    expect(SWEEP_PLAN[span].lengthMs).toBeGreaterThan(2 * pause);
  }
});

test('cases are read every ten minutes, the sandbox’s each minute, and all those that can be open each night', () => {
  expect(nextAt('disputes_recent', NOW)).toEqual(new Date('2026-11-20T15:10:00Z'));
  expect(nextAt('disputes_recent', NOW, 'sandbox')).toEqual(new Date('2026-11-20T15:01:00Z'));
  expect(nextAt('disputes_quarter', NOW, 'sandbox')).toEqual(new Date('2026-11-21T06:00:00Z'));
  // A payer contests within 80 days, and the banks decide within eleven more.
  expect(SWEEP_PLAN.disputes_quarter.lengthMs).toBeGreaterThan((80 + 11) * 24 * 3_600_000);
});
