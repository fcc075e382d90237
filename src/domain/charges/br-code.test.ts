import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromDecimal } from '../values/money.ts';
import { crc16, encodeDynamicBrCode, encodeStaticBrCode } from './br-code.ts';
import { readBrCode } from './read-br-code.ts';

/** The central bank's manual. */
const MANUAL_STATIC =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
const DYNAMIC_ONE_USE =
  '00020101021226770014BR.GOV.BCB.PIX2555pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a995204000053039865802BR5907EMPRESA6009SAO PAULO62070503***6304EEAB';
const STATIC_WITH_MESSAGE =
  '00020126510014br.gov.bcb.pix0115thalesog@me.com0210Pedido 123520400005303986540510.005802BR5914THALES OGLIARI6015SAO MIGUEL DO O62070503***63040DC6';
const STATIC_FOLDED =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.505802BR5924Joao da Padaria Sao Jose6015Sao Jose dos Ca62100506abc12363048B29';

const key = '123e4567-e12b-12d1-a456-426655440000';
const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };

describe('crc16', () => {
  test.each([
    ['123456789', '29B1'],
    ['', 'FFFF'],
  ])('of %j is %s', (text, crc) => {
    expect(crc16(text)).toBe(crc);
  });

  test('always has four digits', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(crc16(text)).toMatch(/^[0-9A-F]{4}$/);
      }),
    );
  });
});

describe('a static code', () => {
  test("is the manual's, to the letter", () => {
    expect(encodeStaticBrCode({ key, ...merchant })).toBe(MANUAL_STATIC);
  });

  test('carries message and amount', () => {
    const code = encodeStaticBrCode({
      key: 'thalesog@me.com',
      message: 'Pedido 123',
      amountCentavos: 1_000n,
      merchantName: 'THALES OGLIARI',
      merchantCity: 'SAO MIGUEL DO O',
    });
    expect(code).toBe(STATIC_WITH_MESSAGE);
  });

  test('has accents folded to ASCII, name and city cut', () => {
    const code = encodeStaticBrCode({
      key,
      amountCentavos: 1_050n,
      merchantName: 'João da Padaria São José Ltda ME',
      merchantCity: 'São José dos Campos',
      txid: 'abc123',
    });
    expect(code).toBe(STATIC_FOLDED);
  });

  test('cuts the message to what the key leaves, and to nothing when it leaves nothing', () => {
    const cut = decoded(encodeStaticBrCode({ key, message: 'x'.repeat(200), ...merchant }));
    expect(cut.fields[1]?.value).toHaveLength(99);
    expect(cut.fields[1]?.children[2]).toMatchObject({ id: '02', value: 'x'.repeat(37) });
    const full = decoded(encodeStaticBrCode({ key: 'k'.repeat(77), message: 'x', ...merchant }));
    expect(full.fields[1]?.children.map((field) => field.id)).toEqual(['00', '01']);
  });

  test.each([
    { key: '' },
    { key: 'a key' },
    { key: 'ção' },
    { key: 'k'.repeat(78) },
    { txid: '' },
    { txid: 'a-b' },
    { txid: 'x'.repeat(26) },
    { amountCentavos: 0n },
    { amountCentavos: -1n },
    { amountCentavos: 1_000_000_000_000n },
  ])('is never made with %o', (wrong) => {
    expect(() => encodeStaticBrCode({ key, ...merchant, ...wrong })).toThrow(RangeError);
  });
});

describe('a dynamic code', () => {
  test('is the known one-use code, but for the case of the identifier', () => {
    const code = encodeDynamicBrCode({
      location: 'pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a99',
      merchantName: 'EMPRESA',
      merchantCity: 'SAO PAULO',
    });
    expect(code.slice(0, -4)).toBe(DYNAMIC_ONE_USE.slice(0, -4).replace('BR.GOV.BCB.PIX', 'br.gov.bcb.pix'));
    expect(code.slice(-4)).toBe(crc16(code.slice(0, -4)));
  });

  test('is for one use and has *** as its txid, because the location has the txid', () => {
    const location = `pix.example.com/qr/${'9'.repeat(58)}`;
    expect(location).toHaveLength(77);
    const code = decoded(encodeDynamicBrCode({ location, amountCentavos: 3_700n, ...merchant }));
    expect(code).toMatchObject({ location, key: null, txid: null, oneUse: true, amountCentavos: 3_700n });
    expect(code.fields.find((field) => field.id === '62')?.value).toBe('0503***');
  });

  test.each([
    { location: '' },
    { location: 'https://pix.example.com/qr/1' },
    { location: 'x'.repeat(78) },
    { location: 'pix.example.com/a b' },
    { location: 'pix.example.com/é' },
    { amountCentavos: 0n },
  ])('is never made with %o', (wrong) => {
    expect(() => encodeDynamicBrCode({ location: 'pix.example.com/qr/1', ...merchant, ...wrong })).toThrow(RangeError);
  });
});

describe('names', () => {
  test.each([
    ['Pão & Cia. – Açaí', 'Pao & Cia. Acai'],
    ['  Loja\n do\tZé  ', 'Loja do Ze'],
    [`${'A'.repeat(24)} B`, 'A'.repeat(24)],
    ['Padaria 🥖', 'Padaria'],
    ['株式会社', 'NAO INFORMADO'],
    ['', 'NAO INFORMADO'],
  ])('%j is written %j', (merchantName, written) => {
    expect(decoded(encodeStaticBrCode({ key, merchantName, merchantCity: 'X' })).merchantName).toBe(written);
  });

  test('of any kind give a code that reads back', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    const amountCentavos = fc.bigInt({ min: 1n, max: 999_999_999_999n });
    fc.assert(
      fc.property(text, text, text, amountCentavos, (merchantName, merchantCity, message, amount) => {
        const code = decoded(
          encodeStaticBrCode({ key, message, amountCentavos: amount, merchantName, merchantCity, txid: 'T1' }),
        );
        expect(code).toMatchObject({ key, location: null, amountCentavos: amount, txid: 'T1', oneUse: false });
        expect(code.merchantName).toMatch(/^[!-~]([ -~]{0,23}[!-~])?$/);
        expect(code.merchantCity).toMatch(/^[!-~]([ -~]{0,13}[!-~])?$/);
      }),
      { numRuns: 500 },
    );
  });
});

/** Reads a code. Throws when the reader reports an issue. */
function decoded(text: string) {
  const { issues, amount, ...code } = readBrCode(text);
  expect(issues).toEqual([]);
  return { ...code, amountCentavos: amount === null ? null : fromDecimal(amount) };
}
