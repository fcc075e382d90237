import { expect, test } from 'vitest';
import { nextChargeCheck } from './next-charge-check.ts';

const CREATED = new Date('2026-11-21T12:00:00Z');
const after = (seconds: number) => new Date(CREATED.getTime() + seconds * 1000);

test('checks grow rarer and end with the charge, so that none is forgotten', () => {
  const end = after(86_400);
  const checks: number[] = [];
  for (let now = CREATED; checks.length < 20; ) {
    const next = nextChargeCheck(CREATED, end, now);
    checks.push((next.getTime() - CREATED.getTime()) / 1000);
    if (next.getTime() >= end.getTime()) break;
    now = next;
  }
  expect(checks).toEqual([30, 120, 600, 3_600, 21_600, 86_410]);
});

test('a short charge is checked right after it expires', () => {
  expect(nextChargeCheck(CREATED, after(5), CREATED)).toEqual(after(15));
});

test('a charge that its PSP calls paid without a payment is checked again and again after its end, not at once', () => {
  const end = after(60);
  const waits: number[] = [];
  for (let now = after(70); waits.length < 15; ) {
    const next = nextChargeCheck(CREATED, end, now);
    waits.push((next.getTime() - now.getTime()) / 1000);
    now = next;
  }
  expect(waits.slice(0, 5)).toEqual([1, 1, 2, 4, 8]);
  expect(waits.at(-1)).toBe(3_600);
});
