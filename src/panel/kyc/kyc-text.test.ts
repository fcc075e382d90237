import { expect, test } from 'vitest';
import { formatsIn } from '../testing/formats-in.ts';
import { formatBytes, prettyNumber, prettyValue } from './kyc-text.ts';

test.each([
  ['39053344705', '390.533.447-05'],
  ['390.533.447-05', '390.533.447-05'],
  ['12abc34501de35', '12.ABC.345/01DE-35'],
  ['01310100', '01310-100'],
  ['3905334470', '3905334470'],
  ['', ''],
])('%j is written %j', (text, pretty) => {
  expect(prettyNumber(text)).toBe(pretty);
});

test('only fields of numbers are rewritten', () => {
  expect(prettyValue('company', 'number', '01310100')).toBe('01310100');
  expect(prettyValue('company', 'zip', '01310100')).toBe('01310-100');
  expect(prettyValue('person', 'occupation', '39053344705')).toBe('39053344705');
});

test('a file is never shown smaller than it is', () => {
  expect(formatBytes(8 * 1024 * 1024, formatsIn('pt-BR'))).toBe('8\u00a0MB');
  expect(formatBytes(8 * 1024 * 1024 + 1, formatsIn('pt-BR'))).toBe('8,1\u00a0MB');
  expect(formatBytes(1, formatsIn('en'))).toBe('1\u00a0kB');
});
