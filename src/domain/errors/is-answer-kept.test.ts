import { expect, test } from 'vitest';
import { API_ERROR_CODES, ERROR_CATALOGUE } from './error-catalogue.ts';
import { isAnswerKept } from './is-answer-kept.ts';

test('that something was not found is not kept: what comes to be there is found by the same request', () => {
  const notFound = API_ERROR_CODES.filter((code) => ERROR_CATALOGUE[code].status === 404);
  expect(notFound.filter(isAnswerKept)).toEqual([]);
});

test('what is only to be waited for is not kept: the same request executes after that', () => {
  expect((['clock_moving', 'charge_not_cancelled', 'rail_closed'] as const).filter(isAnswerKept)).toEqual([]);
});
