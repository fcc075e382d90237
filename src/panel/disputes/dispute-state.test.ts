import { expect, test } from 'vitest';
import { byUrgency, disputeStyle } from './dispute-state.ts';

test('what waits for an answer comes first, and of that what ends first', () => {
  const cases = [
    { state: 'answered', answer_by: '2026-11-20T12:00:00.000Z' },
    { state: 'open', answer_by: '2026-11-23T12:00:00.000Z' },
    { state: 'lost', answer_by: '2026-11-19T12:00:00.000Z' },
    { state: 'open', answer_by: '2026-11-22T12:00:00.000Z' },
  ] as const;
  expect([...cases].sort(byUrgency).map(({ answer_by: at }) => at.slice(8, 10))).toEqual(['22', '23', '19', '20']);
});

test('a case whose time is over says so, and not that an answer is awaited', () => {
  expect(disputeStyle('open', 1).hint).toBe('open');
  expect(disputeStyle('open', 0).hint).toBe('late');
  expect(disputeStyle('answered', 0).hint).toBe('answered');
});
