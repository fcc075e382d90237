import { expect, test } from 'vitest';
import { P12, p12 } from './testing/p12.ts';
import { tlsOptions } from './tls-options.ts';

test('a P12 file is opened once for all clients of the same settings', () => {
  const settings = p12(P12);
  const contexts = [tlsOptions(settings), tlsOptions(settings), tlsOptions({ ...settings })].map((options) =>
    options && 'secureContext' in options ? options.secureContext : null,
  );
  expect(contexts).not.toContain(null);
  expect(contexts[1]).toBe(contexts[0]);
  expect(contexts[2]).not.toBe(contexts[0]);
});
