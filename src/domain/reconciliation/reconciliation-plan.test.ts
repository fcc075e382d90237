import { expect, test } from 'vitest';
import { nextCheckAt } from './reconciliation-plan.ts';

/** The 20th of São Paulo. */
const DAY_END = new Date('2026-11-21T03:00:00Z');
const NIGHT = new Date('2026-11-21T06:30:00Z');
const whole = { dayEnd: DAY_END, readUntil: NIGHT, isExplained: false };

test('a day that agrees is not compared again', () => {
  expect(nextCheckAt({ ...whole, isExplained: true }, NIGHT)).toBeNull();
});

test('a day that is not over is compared again once it is, also where it agrees', () => {
  const noon = new Date('2026-11-20T15:00:00Z');
  expect(nextCheckAt({ ...whole, readUntil: noon, isExplained: true }, noon)).toEqual(NIGHT);
});

test('a day that differs is compared again in the next hours, then each night for a month', () => {
  expect(nextCheckAt(whole, NIGHT)).toEqual(new Date('2026-11-21T09:30:00Z'));
  expect(nextCheckAt(whole, new Date('2026-11-22T03:30:00Z'))).toEqual(new Date('2026-11-23T06:30:00Z'));
  expect(nextCheckAt(whole, new Date('2026-12-20T06:30:00Z'))).toEqual(new Date('2026-12-21T06:30:00Z'));
  expect(nextCheckAt(whole, new Date('2026-12-21T06:30:00Z'))).toBeNull();
});
