import { expect, test } from 'vitest';
import { pixChargeInput } from '#contract/charges/pix-charge.ts';
import { cryptoDepositInput } from '#contract/quotes/crypto.ts';
import { chargeFaults, chargeOf, EMPTY_CHARGE } from './charge-draft.ts';

const pix = { ...EMPTY_CHARGE, amount: '100,50' };
const full = {
  ...pix,
  description: ' Pedido 42 ',
  name: 'Maria',
  email: 'maria@example.com',
  document: '123.456.789-09',
  phone: '(51) 99825-9765',
};

test.each([
  [pix, {}],
  [full, {}],
  [{ ...pix, amount: '' }, { amount: 'amount' }],
  [{ ...pix, amount: '1e3' }, { amount: 'amount' }],
  [{ ...pix, email: 'maria' }, { email: 'email' }],
  [{ ...pix, document: '123.456.789-00' }, { document: 'document' }],
  [{ ...pix, phone: '123' }, { phone: 'phone' }],
  [
    { ...pix, kind: 'crypto' as const, email: 'maria' },
    { currency: 'currency', email: 'email' },
  ],
  [{ ...pix, kind: 'crypto' as const, currency: 'USDT_BSC' }, {}],
  [{ ...full, kind: 'crypto' as const, currency: 'USDT_BSC', phone: '123' }, { phone: 'phone' }],
])('%#: what has to be mended is reported field by field', (draft, faults) => {
  expect(chargeFaults(draft, 'pt-BR')).toEqual(faults);
});

test.each([pix, full])('%#: what has no fault is what the contract takes', (draft) => {
  expect(pixChargeInput.safeParse(chargeOf(draft, 100.5)).success).toBe(true);
  expect(cryptoDepositInput.safeParse({ ...chargeOf(draft, 100.5), currency: 'USDT_BSC' }).success).toBe(true);
});

test('what was left empty is not sent, and the document says what it is', () => {
  expect(chargeOf(pix, 100.5)).toEqual({
    amount: 100.5,
    description: null,
    customerName: null,
    customerEmail: null,
    customerDocument: null,
    customerDocumentType: null,
    customerPhone: null,
  });
  expect(chargeOf(full, 100.5)).toMatchObject({ description: 'Pedido 42', customerDocumentType: 'cpf' });
  expect(chargeOf({ ...pix, document: '12ABC34501DE35' }, 100.5)).toMatchObject({ customerDocumentType: 'cnpj' });
});
