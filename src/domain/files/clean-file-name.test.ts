import { expect, test } from 'vitest';
import { cleanFileName } from './clean-file-name.ts';

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
