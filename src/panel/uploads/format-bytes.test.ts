import { expect, test } from 'vitest';
import { formatsIn } from '../testing/formats-in.ts';
import { formatBytes } from './format-bytes.ts';

test('a file is never shown smaller than it is', () => {
  expect(formatBytes(8 * 1024 * 1024, formatsIn('pt-BR'))).toBe('8\u00a0MB');
  expect(formatBytes(8 * 1024 * 1024 + 1, formatsIn('pt-BR'))).toBe('8,1\u00a0MB');
  expect(formatBytes(1, formatsIn('en'))).toBe('1\u00a0kB');
});
