import { expect, test } from 'vitest';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { describeFailure } from './describe-failure.ts';

test('a failure is described without people’s data, in a text that can be stored', () => {
  expect(describeFailure(new ProviderUnavailable('HTTP 503'))).toBe('HTTP 503');
  expect(describeFailure(new TypeError('not a function'))).toBe('TypeError: not a function');
  expect(describeFailure(new Error('rejected for maria@example.com, CPF 529.982.247-25'))).not.toMatch(/maria|529/);
  expect(describeFailure(new Error(`a\0b${'x'.repeat(1_000)}`))).toMatch(/^Error: a\uFFFDbx{290,}$/);
  expect(describeFailure(new Error(`a\0b${'x'.repeat(1_000)}`))).toHaveLength(300);
});
