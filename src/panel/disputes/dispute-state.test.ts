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
  expect(disputeStyle('open', { msLeft: 1, mayAnswer: true }).hint).toBe('open');
  expect(disputeStyle('open', { msLeft: 0, mayAnswer: true }).hint).toBe('late');
  expect(disputeStyle('answered', { msLeft: 0, mayAnswer: true }).hint).toBe('answered');
});

test('a member who may not answer a case reads its deadline, and is not asked to answer', () => {
  expect(disputeStyle('open', { msLeft: 1, mayAnswer: false }).hint).toBe('deadline');
  expect(disputeStyle('open', { msLeft: 0, mayAnswer: false }).hint).toBe('late');
});
