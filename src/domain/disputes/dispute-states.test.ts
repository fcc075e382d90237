import { expect, test } from 'vitest';
import { canEnd, DISPUTE_ENDS, DISPUTE_STATES, isOpenDispute, nextReminder } from './dispute-states.ts';

const dispute = { openedAt: new Date('2026-11-20T12:00:00Z'), answerBy: new Date('2026-11-22T12:00:00Z') };

test.each([
  ['2026-11-20T12:00:00Z', '2026-11-21T12:00:00Z'],
  ['2026-11-21T12:00:00Z', '2026-11-22T06:00:00Z'],
  ['2026-11-22T06:00:00Z', null],
  ['2026-11-23T00:00:00Z', null],
])('at %s a case is to be reminded of at %s', (now, next) => {
  expect(nextReminder(dispute, new Date(now))).toEqual(next && new Date(next));
});

test('a case whose time is an odd number of milliseconds is not reminded of at half of it twice', () => {
  const odd = { openedAt: new Date(0), answerBy: new Date(172_800_001) };
  const half = nextReminder(odd, odd.openedAt) as Date;
  expect(half).toEqual(new Date(86_400_001));
  expect(nextReminder(odd, half)).toEqual(new Date(odd.answerBy.getTime() - 6 * 3_600_000));
});

test.each([
  ['open', ['won', 'lost', 'cancelled']],
  ['answered', ['won', 'lost', 'cancelled']],
  ['lost', ['won', 'cancelled']],
  ['won', []],
  ['cancelled', []],
  ['returned', []],
] as const)('a case that is %s can end as %s', (state, ends) => {
  expect(DISPUTE_ENDS.filter((to) => canEnd(state, to))).toEqual(ends);
});

test('a case is open until it is won or cancelled, or its devolução has arrived', () => {
  expect(DISPUTE_STATES.filter(isOpenDispute)).toEqual(['open', 'answered', 'lost']);
});
