import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STATUS_WORDS, SUB_STATUS_WORDS, statusWord, TYPE_WORDS, WITHDRAWAL_PAID } from './transaction-words.ts';

test('files for people say the words of the page', () => {
  const path = new URL('../../panel/messages/pt-BR.json', import.meta.url);
  const { types, statuses } = JSON.parse(readFileSync(path, 'utf8')).panel.transactions;
  expect(TYPE_WORDS).toEqual(types);
  expect({
    ...STATUS_WORDS,
    ...SUB_STATUS_WORDS,
    invoice_paid: STATUS_WORDS.paid,
    withdrawal_paid: WITHDRAWAL_PAID,
  }).toEqual(statuses);
});

test('a crypto invoice and a PIX withdrawal are paid, a crypto withdrawal is completed', () => {
  expect(statusWord({ type: 'pix_out', status: 'paid', subStatus: null })).toBe('pago');
  expect(statusWord({ type: 'crypto_in', status: 'completed', subStatus: null })).toBe('paga');
  expect(statusWord({ type: 'crypto_out', status: 'completed', subStatus: null })).toBe('concluído');
  expect(statusWord({ type: 'crypto_in', status: 'completed', subStatus: 'late' })).toBe('paga com atraso');
  // One that a later version of the service writes.
  expect(statusWord({ type: 'crypto_in', status: 'pending', subStatus: 'of_tomorrow' })).toBe('pendente');
});
