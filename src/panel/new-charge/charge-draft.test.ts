import { expect, test } from 'vitest';
import { pixChargeInput } from '#contract/pix-charge.ts';
import { chargeFaults, EMPTY_CHARGE, pixChargeOf } from './charge-draft.ts';

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
  [{ ...pix, kind: 'crypto' as const, email: 'left behind' }, { currency: 'currency' }],
  [{ ...pix, kind: 'crypto' as const, currency: 'USDT_BSC' }, {}],
])('%#: what has to be mended is told field by field', (draft, faults) => {
  expect(chargeFaults(draft, 'pt-BR')).toEqual(faults);
});

test.each([pix, full])('%#: what has no fault is what the contract takes', (draft) => {
  expect(pixChargeInput.safeParse(pixChargeOf(draft, 100.5)).success).toBe(true);
});

test('what was left empty is not sent, and the document says what it is', () => {
  expect(pixChargeOf(pix, 100.5)).toEqual({
    amount: 100.5,
    description: null,
    customerName: null,
    customerEmail: null,
    customerDocument: null,
    customerDocumentType: null,
    customerPhone: null,
  });
  expect(pixChargeOf(full, 100.5)).toMatchObject({ description: 'Pedido 42', customerDocumentType: 'cpf' });
  expect(pixChargeOf({ ...pix, document: '12ABC34501DE35' }, 100.5)).toMatchObject({ customerDocumentType: 'cnpj' });
});
