import { expect, test } from 'vitest';
import { passwordIssue } from './password.ts';

// ASVS 6.2.1, 6.2.11
test.each([
  ['123456789', 'short'],
  ['😀😀😀😀😀😀😀😀😀', 'short'],
  ['x'.repeat(129), 'long'],
  ['senha12345', 'common'],
  ['S3nhaS3nha', 'common'],
  ['senhasenha', 'common'],
  ['Password2026!', 'common'],
  ['1234567890', 'common'],
  ['0987654321', 'common'],
  ['qwertyuiop', 'common'],
  ['aaaaaaaaaaaa', 'common'],
  ['abababababab', 'common'],
  ['flamengo1981', 'common'],
  ['trilho2026!!', 'common'],
])('%s is rejected: it is %s', (password, issue) => {
  expect(passwordIssue(password)).toBe(issue);
});

// ASVS 6.2.5
test.each([
  'correct horse battery',
  'cavalo bateria grampo',
  'xK9#mQ2$vL',
  'minha avó fazia bolo de fubá',
  '          á b c d',
])('%s is accepted, whatever characters it has', (password) => {
  expect(passwordIssue(password)).toBeNull();
});
