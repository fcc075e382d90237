import { expect, test } from 'vitest';
import { isUndecided } from './use-idempotency-key.ts';

test.each([
  ['never had an answer', 'may have been', new TypeError('Failed to fetch')],
  ['failed within the service', 'may have been', { data: { code: 'INTERNAL_SERVER_ERROR', reason: null } }],
  ['was rejected', 'was not', { data: { code: 'NOT_FOUND', reason: 'transaction_not_found' } }],
  // A page that is older than the service gets this.
  ['asked for what the service does not have', 'was not', { data: { code: 'NOT_FOUND', reason: null } }],
])('a request that %s %s carried out', (_how, whether, error) => {
  expect(isUndecided(error)).toBe(whether === 'may have been');
});
