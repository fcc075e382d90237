import { expect, test } from 'vitest';
import { encodeDynamicBrCode, encodeRecurrenceBrCode, encodeStaticBrCode } from '#domain/charges/br-code.ts';
import { formatPixKey, keyOf } from './draft.ts';
import { readPixCode } from './read-pix-code.ts';

const MERCHANT = { merchantName: 'Maria da Silva', merchantCity: 'Porto Alegre' };
const STATIC = encodeStaticBrCode({ ...MERCHANT, key: 'maria@example.com', amountCentavos: 10_050n, txid: 'PEDIDO42' });

test('a static code is read into key, amount and name', () => {
  expect(readPixCode(` ${STATIC}\n`)).toEqual({
    issue: null,
    key: { type: 'email', key: 'maria@example.com' },
    name: 'Maria da Silva',
    city: 'Porto Alegre',
    amount: '100.50',
    txid: 'PEDIDO42',
  });
  const open = encodeStaticBrCode({ ...MERCHANT, key: '+5551998259765' });
  expect(readPixCode(open)).toMatchObject({ key: { type: 'phone' }, amount: '', txid: null });
});

test('eleven digits in a code are a CPF: a telephone has its country there', () => {
  expect(readPixCode(encodeStaticBrCode({ ...MERCHANT, key: '51998259765' }))).toMatchObject({ key: { type: 'cpf' } });
});

test('a key that was read from a code needs no choice', () => {
  for (const key of ['51998259765', '+5551998259765', '11222333000181', 'maria@example.com']) {
    const code = readPixCode(encodeStaticBrCode({ ...MERCHANT, key }));
    if (code === null || code.issue !== null) throw new Error(`${key} was not read.`);
    const shown = formatPixKey(code.key.key, code.key.type);
    expect(keyOf({ pixKey: shown, pixKeyType: null })).toEqual(code.key);
  }
});

test('a code that can’t be paid from here is rejected with its reason', () => {
  const dynamic = encodeDynamicBrCode({
    ...MERCHANT,
    location: 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25',
  });
  expect(readPixCode(dynamic)).toEqual({ issue: 'codeDynamic' });
  const recurrence = 'pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002';
  expect(readPixCode(encodeRecurrenceBrCode({ ...MERCHANT, recurrence }))).toEqual({ issue: 'codeAutomatic' });
  expect(readPixCode(STATIC.replace('100.50', '900.50'))).toEqual({ issue: 'codeBroken' });
  expect(readPixCode(STATIC.slice(0, -3))).toEqual({ issue: 'codeBroken' });
  expect(readPixCode(`${STATIC}${STATIC}`)).toEqual({ issue: 'codeBroken' });
  expect(readPixCode(encodeStaticBrCode({ ...MERCHANT, key: 'not a key'.replaceAll(' ', '-') }))).toEqual({
    issue: 'codeKey',
  });
});

test('a PIX key is not taken for a BR Code', () => {
  for (const key of [
    'maria@example.com',
    '51998259765',
    '',
    '123e4567-e12b-12d1-a456-426655440000',
    '00.020.100/0001-00',
  ])
    expect(readPixCode(key)).toBeNull();
});
