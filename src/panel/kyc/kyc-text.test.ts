import { expect, test } from 'vitest';
import { prettyNumber, prettyValue } from './kyc-text.ts';

test.each([
  ['39053344705', '390.533.447-05'],
  ['390.533.447-05', '390.533.447-05'],
  ['12abc34501de35', '12.ABC.345/01DE-35'],
  ['01310100', '01310-100'],
  ['3905334470', '3905334470'],
  ['', ''],
])('the number %j is written %j', (text, pretty) => {
  expect(prettyNumber(text)).toBe(pretty);
});

test('only fields of numbers are rewritten', () => {
  expect(prettyValue('company', 'number', '01310100')).toBe('01310100');
  expect(prettyValue('company', 'zip', '01310100')).toBe('01310-100');
  expect(prettyValue('person', 'occupation', '39053344705')).toBe('39053344705');
});
