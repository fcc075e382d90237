import { expect, test } from 'vitest';
import { cleanFileName, missingDocuments } from './kyc.ts';

test.each([
  ['rg frente.jpg', 'rg frente.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Fotos\\rg.jpg', 'rg.jpg'],
  ['rg\u202Egpj.exe', 'rggpj.exe'],
  ['rg\r\nx-evil: 1.jpg', 'rgx-evil: 1.jpg'],
  ['contrato\0.pdf', 'contrato.pdf'],
  ['  ', 'documento'],
  ['..', '..'],
  ['pasta/', 'documento'],
  ['🏪'.repeat(100), '🏪'.repeat(80)],
])('the file name %j is kept as %j', (name, kept) => {
  expect(cleanFileName(name)).toBe(kept);
});

test('what is missing is reported in the order in which it is asked for', () => {
  expect(missingDocuments('company', [])).toEqual(['company', 'identity', 'address']);
  expect(missingDocuments('company', ['identity', 'selfie'])).toEqual(['company', 'address']);
  expect(missingDocuments('person', ['selfie', 'address', 'identity'])).toEqual([]);
});
