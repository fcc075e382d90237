import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc16, decodeBrCode, encodeDynamicBrCode, encodeStaticBrCode } from './br-code.ts';

/** The central bank's manual. */
const MANUAL_STATIC =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
const DYNAMIC_ONE_USE =
  '00020101021226770014BR.GOV.BCB.PIX2555pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a995204000053039865802BR5907EMPRESA6009SAO PAULO62070503***6304EEAB';
const DYNAMIC_WITH_AMOUNT =
  '00020101021226720014br.gov.bcb.pix2550bx.com.br/pix/8b3da2f3-9a41-40d1-a91a-bd93113bd4415204000053039865406123.455802BR5913Fulano de Tal6008BRASILIA62190515RP12345678-2019630445C8';
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
    expect(cut.fields[1]?.children?.[2]).toEqual({ id: '02', value: 'x'.repeat(37) });
    const full = decoded(encodeStaticBrCode({ key: 'k'.repeat(77), message: 'x', ...merchant }));
    expect(full.fields[1]?.children?.map((field) => field.id)).toEqual(['00', '01']);
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

  test('is for one use and says *** for the txid, for the location knows it', () => {
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

describe('decodeBrCode', () => {
  test.each([
    [MANUAL_STATIC, { key, location: null, amountCentavos: null, txid: null, oneUse: false, ...merchant }],
    [
      DYNAMIC_ONE_USE,
      {
        key: null,
        location: 'pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a99',
        amountCentavos: null,
        txid: null,
        oneUse: true,
        merchantName: 'EMPRESA',
        merchantCity: 'SAO PAULO',
      },
    ],
    [
      DYNAMIC_WITH_AMOUNT,
      {
        key: null,
        location: 'bx.com.br/pix/8b3da2f3-9a41-40d1-a91a-bd93113bd441',
        amountCentavos: 12_345n,
        txid: 'RP12345678-2019',
        oneUse: true,
        ...merchant,
      },
    ],
    [
      STATIC_WITH_MESSAGE,
      {
        key: 'thalesog@me.com',
        location: null,
        amountCentavos: 1_000n,
        txid: null,
        oneUse: false,
        merchantName: 'THALES OGLIARI',
        merchantCity: 'SAO MIGUEL DO O',
      },
    ],
    [STATIC_FOLDED, { key, amountCentavos: 1_050n, txid: 'abc123', merchantName: 'Joao da Padaria Sao Jose' }],
  ])('reads the known code %#', (text, expected) => {
    expect(decodeBrCode(text)).toMatchObject({ ok: true, ...expected });
    expect(decodeBrCode(` ${text}\n`)).toMatchObject({ ok: true, ...expected });
  });

  test('gives the fields in order, templates opened', () => {
    const { fields } = decoded(MANUAL_STATIC);
    expect(fields.map((field) => field.id)).toEqual(['00', '26', '52', '53', '58', '59', '60', '62', '63']);
    expect(fields[1]?.children).toEqual([
      { id: '00', value: 'br.gov.bcb.pix' },
      { id: '01', value: key },
    ]);
  });

  test('every wrong character is found out', () => {
    for (const text of [MANUAL_STATIC, DYNAMIC_ONE_USE, DYNAMIC_WITH_AMOUNT]) {
      for (let i = 0; i < text.length; i++) {
        for (const character of '0A*~') {
          if (character === text[i]) continue;
          expect(decodeBrCode(text.slice(0, i) + character + text.slice(i + 1)).ok).toBe(false);
        }
      }
    }
  });

  test('no piece of a code passes for one, and no text throws', () => {
    for (let length = 0; length < MANUAL_STATIC.length; length++) {
      expect(decodeBrCode(MANUAL_STATIC.slice(0, length)).ok).toBe(false);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeBrCode(text).ok).toBe(false);
      }),
    );
  });

  test('amounts are read with two decimals, one or none', () => {
    for (const [text, centavos] of [
      ['10', 1_000n],
      ['10.', 1_000n],
      ['10.5', 1_050n],
      ['0.01', 1n],
    ] as const) {
      expect(decoded(sealed(withAmount(text))).amountCentavos).toBe(centavos);
    }
  });

  test('zero is an amount for Pix Saque only', () => {
    const saque = withAmount('0.00').replace('2658', '2670').replace(key, `${key}030812345678`);
    expect(decoded(sealed(saque)).amountCentavos).toBe(0n);
    expect(decodeBrCode(sealed(withAmount('0.00')))).toEqual({
      ok: false,
      fault: 'O campo 54 na posição 84 é o valor e não pode ser zero.',
    });
  });

  test.each([
    ['', 'O código não começa com 000201.'],
    ['x'.repeat(513), 'O código passa de 512 caracteres.'],
    [MANUAL_STATIC.replace('Fulano', 'Fuláno'), 'Caractere não permitido na posição 97.'],
    [MANUAL_STATIC.replace('1D3D', '1D3E'), 'CRC incorreto na posição 134: consta 1D3E, o correto é 1D3D.'],
    [MANUAL_STATIC.replace('1D3D', '1d3d'), 'CRC incorreto na posição 134: consta 1d3d, o correto é 1D3D.'],
    [MANUAL_STATIC.slice(0, -8), 'O código não termina com o CRC (campo 63).'],
    [MANUAL_STATIC.slice(0, -1), 'O campo 63 na posição 130 declara 4 caracteres e tem 3.'],
    [MANUAL_STATIC.slice(6), 'O código não começa com 000201.'],
    [sealed(body().replace('000201', '000202')), 'O código não começa com 000201.'],
    [
      sealed(body().replace('br.gov.bcb.pix', 'br.gov.bcb.pux')),
      'Não há conta PIX no código (campo 26 com br.gov.bcb.pix).',
    ],
    [
      sealed(body().replace('0136123e', '0236123e')),
      'O campo 26 na posição 7 deve ter a chave (01) ou a location (25), e só uma das duas.',
    ],
    [
      sealed(body().replace('2658', '2668').replace(key, `${key}2506a.br/x`)),
      'O campo 26 na posição 7 deve ter a chave (01) ou a location (25), e só uma das duas.',
    ],
    [sealed(body().replace('000201', '000201010213')), 'O campo 01 na posição 7 deve ser 11 ou 12.'],
    [sealed(body().replace('5303986', '5303840')), 'O campo 53 na posição 77 deve ser 986, o real.'],
    [sealed(body().replace('5802BR', '5802AR')), 'O campo 58 na posição 84 deve ser BR.'],
    [sealed(body().replace('5303986', '')), 'Falta o campo 53 (986, o real).'],
    [sealed(body().replace('5913Fulano de Tal', '')), 'Falta o campo 59 (o nome do recebedor).'],
    [sealed(body().replace('6008BRASILIA', '')), 'Falta o campo 60 (a cidade do recebedor).'],
    [sealed(withAmount('1,50')), 'O campo 54 na posição 84 deve ser um valor com até duas casas decimais.'],
    [sealed(withAmount('1.505')), 'O campo 54 na posição 84 deve ser um valor com até duas casas decimais.'],
    [sealed(withAmount('12345678901')), 'O campo 54 na posição 84 deve ser um valor com até duas casas decimais.'],
  ])('says what is wrong and where (%#)', (text, fault) => {
    expect(decodeBrCode(text)).toEqual({ ok: false, fault });
  });

  function body(): string {
    return MANUAL_STATIC.slice(0, -8);
  }

  function withAmount(amount: string): string {
    return body().replace('5802BR', `54${String(amount.length).padStart(2, '0')}${amount}5802BR`);
  }

  function sealed(text: string): string {
    return `${text}6304${crc16(`${text}6304`)}`;
  }
});

function decoded(text: string) {
  const result = decodeBrCode(text);
  if (!result.ok) throw new Error(result.fault);
  return result;
}
