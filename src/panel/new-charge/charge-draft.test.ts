import { expect, test } from 'vitest';
import { pixChargeInput } from '#contract/charges/pix-charge.ts';
import { cryptoDepositInput } from '#contract/quotes/crypto.ts';
import { schemaIssues } from '#panel/shell/schema-rules.ts';
import { CHARGE_FIELDS, type ChargeDraft, chargeIssues, chargeOf, EMPTY_CHARGE, EXPIRIES } from './charge-draft.ts';

const pix: ChargeDraft = { ...EMPTY_CHARGE, amount: '100,50' };
const full: ChargeDraft = {
  ...pix,
  description: ' Pedido 42 ',
  name: 'Maria',
  email: 'maria@example.com',
  document: '123.456.789-09',
  phone: '(51) 99825-9765',
};

const wrongFields = (draft: typeof pix, amount: number | null = 100.5) => {
  const schema = draft.kind === 'pix' ? pixChargeInput : cryptoDepositInput;
  const issues = { ...chargeIssues(draft), ...schemaIssues(schema, chargeOf(draft, amount), CHARGE_FIELDS) };
  return Object.fromEntries(Object.entries(issues).map(([field, { issue }]) => [field, issue]));
};

test('a draft is checked by the schema that the service checks it by, field by field', () => {
  expect(wrongFields(pix)).toEqual({});
  expect(wrongFields(full)).toEqual({});
  expect(wrongFields(pix, null)).toEqual({ amount: 'not_amount' });
  expect(wrongFields({ ...pix, email: 'maria' })).toEqual({ email: 'not_email' });
  expect(wrongFields({ ...pix, document: '123.456.789-00' })).toEqual({ document: 'not_document' });
  expect(wrongFields({ ...pix, phone: '123' })).toEqual({ phone: 'not_phone' });
  expect(wrongFields({ ...full, kind: 'crypto', currency: 'USDT_BSC', phone: '123' })).toEqual({ phone: 'not_phone' });
  expect(wrongFields({ ...pix, kind: 'crypto', currency: 'USDT_BSC' })).toEqual({});
});

test('a currency has to be chosen here, although the API takes the account’s', () => {
  expect(wrongFields({ ...pix, kind: 'crypto', email: 'maria' })).toEqual({ currency: 'missing', email: 'not_email' });
});

test('a document that is neither a CPF nor a CNPJ is sent as the one that its length suggests', () => {
  const typeOf = (document: string) => chargeOf({ ...pix, document }, 1).customerDocumentType;
  expect([typeOf('123.456.789-00'), typeOf('12.ABC.345/01DE-00'), typeOf('')]).toEqual(['cpf', 'cnpj', null]);
});

test('a reference is sent with either kind of charge, an expiry with a PIX charge only', () => {
  const asked = { ...full, reference: ' pedido-42 ', expiresIn: '900' };
  expect(chargeOf(asked, 1)).toMatchObject({ reference: 'pedido-42', expiresIn: 900 });
  const { expiresIn, ...crypto } = { expiresIn: undefined, ...chargeOf({ ...asked, kind: 'crypto' }, 1) };
  expect([expiresIn, crypto.reference]).toEqual([undefined, 'pedido-42']);
  expect(wrongFields({ ...pix, reference: 'x'.repeat(101) })).toEqual({ reference: 'too_long' });
  for (const seconds of EXPIRIES) expect(wrongFields({ ...pix, expiresIn: String(seconds) })).toEqual({});
  expect(wrongFields({ ...pix, expiresIn: '59' })).toEqual({ expiresIn: 'not_integer' });
});

test('a draft that was kept before reference and expiry existed is sent without them', () => {
  const { reference: _, expiresIn: __, ...old } = pix;
  expect(chargeOf(old as ChargeDraft, 1)).toMatchObject({ reference: null, expiresIn: null });
});

test('a field that was left empty is sent as null, and the type of a document follows from its digits', () => {
  expect(chargeOf(pix, 100.5)).toEqual({
    amount: 100.5,
    description: null,
    customerName: null,
    customerEmail: null,
    customerDocument: null,
    customerDocumentType: null,
    customerPhone: null,
    reference: null,
    expiresIn: null,
  });
  expect(chargeOf(full, 100.5)).toMatchObject({ description: 'Pedido 42', customerDocumentType: 'cpf' });
  expect(chargeOf({ ...pix, document: '12ABC34501DE35' }, 100.5)).toMatchObject({ customerDocumentType: 'cnpj' });
});
