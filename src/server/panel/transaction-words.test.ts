import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  PARTIALLY_REFUNDED_WORD,
  STATUS_WORDS,
  SUB_STATUS_WORDS,
  statusWord,
  TYPE_WORDS,
  WITHDRAWAL_PAID,
} from './transaction-words.ts';

test('files for people say the words of the page', () => {
  const path = new URL('../../panel/messages/pt-BR.json', import.meta.url);
  const { types, statuses } = JSON.parse(readFileSync(path, 'utf8')).panel.transactions;
  expect(TYPE_WORDS).toEqual(types);
  expect({
    ...STATUS_WORDS,
    ...SUB_STATUS_WORDS,
    invoice_paid: STATUS_WORDS.paid,
    withdrawal_paid: WITHDRAWAL_PAID,
    partially_refunded: PARTIALLY_REFUNDED_WORD,
  }).toEqual(statuses);
});

test('a crypto invoice and a PIX withdrawal are paid, a crypto withdrawal is completed', () => {
  const refundedCentavos = 0n;
  expect(statusWord({ type: 'pix_out', status: 'paid', subStatus: null, refundedCentavos })).toBe('pago');
  expect(statusWord({ type: 'crypto_in', status: 'completed', subStatus: null, refundedCentavos })).toBe('paga');
  expect(statusWord({ type: 'crypto_out', status: 'completed', subStatus: null, refundedCentavos })).toBe('concluído');
  expect(statusWord({ type: 'crypto_in', status: 'completed', subStatus: 'late', refundedCentavos })).toBe(
    'paga com atraso',
  );
  // One that a later version of the service writes.
  expect(statusWord({ type: 'crypto_in', status: 'pending', subStatus: 'of_tomorrow', refundedCentavos: 0n })).toBe(
    'pendente',
  );
});

test('a charge of which a part went back says so', () => {
  const charge = { type: 'pix_in', status: 'paid', subStatus: null } as const;
  expect(statusWord({ ...charge, refundedCentavos: 0n })).toBe('paga');
  expect(statusWord({ ...charge, refundedCentavos: 1n })).toBe('estornada em parte');
});
