import { expect, test } from 'vitest';
import { isBreached } from './breached-passwords.ts';

// ASVS 6.2.4, 6.2.12
test.each([
  '1234567890',
  'q1w2e3r4t5',
  'Basketball',
  '123qweasdzxc',
  'manchester2026!',
  'Universidade1!',
  '!!aniversário',
  'aniversario#1',
  '99Wellington',
])('%j is in the lists, decorated or not', async (password) => {
  expect(await isBreached(password)).toBe(true);
});

test.each([
  'correct horse battery',
  'uma frase que ninguém adivinha',
  'xK9#mQ2$vL',
  'eSMZajajyp3S',
  'a7492857263b',
  'basketball-na-chuva',
])('%j is in no list', async (password) => {
  expect(await isBreached(password)).toBe(false);
});
