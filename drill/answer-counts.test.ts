import { expect, test } from 'vitest';
import { countAnswer, emptyCounts } from './answer-counts.ts';

test('an overloaded service may shed a request with a time to retry, or cut it off, and nothing else', () => {
  const counts = emptyCounts();
  const answer = { hasRetryAfter: false, reason: '{}', ms: 20 };
  for (const status of [200, 201, 400, 409]) countAnswer(counts, { ...answer, status });
  for (const status of [503, 429]) countAnswer(counts, { ...answer, status, hasRetryAfter: true });
  countAnswer(counts, { ...answer, status: null, reason: 'ECONNRESET' });
  expect(counts).toEqual({ served: 4, shed: 2, cut: 1, slowestMs: 20, wrong: new Map() });
  countAnswer(counts, { ...answer, status: 503 });
  countAnswer(counts, { ...answer, status: 500, hasRetryAfter: true });
  countAnswer(counts, { ...answer, status: 503, hasRetryAfter: true, reason: '<html>' });
  countAnswer(counts, { ...answer, status: null, ms: 15_000 });
  countAnswer(counts, { ...answer, status: null, ms: 15_001 });
  expect(counts).toEqual({
    served: 4,
    shed: 2,
    cut: 1,
    slowestMs: 15_001,
    wrong: new Map([
      ['503 without Retry-After', 1],
      ['500: {}', 1],
      ['a page with 503', 1],
      ['no answer in time', 2],
    ]),
  });
});
