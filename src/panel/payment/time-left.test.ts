import { describe, expect, it } from 'vitest';
import { timeLeft } from './time-left.ts';

describe('the countdown', () => {
  it.each([
    [872_000, '14:32'],
    [871_001, '14:32'],
    [65_000, '01:05'],
    [3_600_000, '1:00:00'],
    [3_599_000, '59:59'],
    [3_723_000, '1:02:03'],
    [86_400_000, '24:00:00'],
    [1, '00:01'],
  ])('shows %d ms as %s', (ms, text) => {
    expect(timeLeft(ms)).toMatchObject({ kind: 'clock', text });
  });

  it('is urgent in its last minute only', () => {
    expect(timeLeft(60_000)).toMatchObject({ urgent: true });
    expect(timeLeft(60_001)).toMatchObject({ urgent: false });
  });

  it('gives way to the date when more than a day is left', () => {
    expect(timeLeft(86_400_001)).toEqual({ kind: 'date' });
  });

  it('never runs below zero', () => {
    expect(timeLeft(0)).toEqual({ kind: 'over' });
    expect(timeLeft(-5_000)).toEqual({ kind: 'over' });
  });
});
