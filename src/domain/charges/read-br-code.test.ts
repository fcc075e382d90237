import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc16, encodeDynamicBrCode, encodeStaticBrCode } from './br-code.ts';
import { BR_CODE_ISSUES } from './br-code-chain.ts';
import { type BrCodeIssue, type BrCodeNode, readBrCode } from './read-br-code.ts';

/** The central bank's manual, and codes of the wild. */
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
const KNOWN = [MANUAL_STATIC, DYNAMIC_ONE_USE, DYNAMIC_WITH_AMOUNT, STATIC_WITH_MESSAGE, STATIC_FOLDED];

const key = '123e4567-e12b-12d1-a456-426655440000';
const BODY = MANUAL_STATIC.slice(0, -8);
const sealed = (body: string) => `${body}6304${crc16(`${body}6304`)}`;
const issuesOf = (text: string) =>
  readBrCode(text).issues.map(({ code, at, length, params: { field } }) => `${code} ${field ?? ''} ${at}+${length}`);

describe('a sound code', () => {
  test.each(KNOWN)('has no issue: %s', (text) => {
    expect(readBrCode(text).issues).toEqual([]);
  });

  test('says what it is', () => {
    expect(readBrCode(MANUAL_STATIC)).toMatchObject({
      kind: 'static',
      key,
      location: null,
      txid: null,
      amount: null,
      merchantName: 'Fulano de Tal',
      merchantCity: 'BRASILIA',
      oneUse: false,
      crc: { found: '1D3D', computed: '1D3D' },
    });
    expect(readBrCode(DYNAMIC_WITH_AMOUNT)).toMatchObject({
      kind: 'dynamic',
      key: null,
      location: 'bx.com.br/pix/8b3da2f3-9a41-40d1-a91a-bd93113bd441',
      txid: 'RP12345678-2019',
      amount: '123.45',
      oneUse: true,
    });
    expect(readBrCode(STATIC_WITH_MESSAGE)).toMatchObject({
      key: 'thalesog@me.com',
      message: 'Pedido 123',
      amount: '10.00',
    });
  });

  test('has its fields with their places, templates opened', () => {
    const { fields } = readBrCode(MANUAL_STATIC);
    expect(fields.map(({ path }) => path)).toEqual(['00', '26', '52', '53', '58', '59', '60', '62', '63']);
    expect(fields[1]?.children).toMatchObject([
      { path: '26.00', at: 10, length: 14, value: 'br.gov.bcb.pix' },
      { path: '26.01', at: 28, length: 36, value: key },
    ]);
    const check = (nodes: readonly BrCodeNode[]) => {
      for (const node of nodes) {
        const head = node.id + String(node.length).padStart(2, '0');
        expect(MANUAL_STATIC.slice(node.at).startsWith(head + node.value)).toBe(true);
        check(node.children);
      }
    };
    check(fields);
  });

  test('is found in what people paste: with spaces around it, broken lines, tabs and invisible characters', () => {
    for (const text of KNOWN) {
      const broken = ` \n${text.slice(0, 40)}\r\n${text.slice(40, 90)}\n\t\u200b${text.slice(90)}\ufeff\n `;
      expect(readBrCode(broken)).toEqual(readBrCode(text));
    }
    const inPlaceOfSpace = readBrCode(MANUAL_STATIC.replace('Fulano de', 'Fulano\nde'));
    expect(inPlaceOfSpace.text).toBe(MANUAL_STATIC);
    expect(inPlaceOfSpace.issues).toMatchObject([{ code: 'line_break', severity: 'warning', at: 99 }]);
  });

  test('of ours has none either, whatever the names in it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(
        text,
        text,
        fc.bigInt({ min: 1n, max: 999_999_999_999n }),
        (merchantName, merchantCity, amountCentavos) => {
          const merchant = { merchantName, merchantCity, amountCentavos };
          expect(readBrCode(encodeStaticBrCode({ key, ...merchant })).issues).toEqual([]);
          expect(readBrCode(encodeDynamicBrCode({ location: 'a.br/qr/1', ...merchant })).issues).toEqual([]);
        },
      ),
    );
  });
});

describe('every issue is reported, with its place', () => {
  test.each([
    ['', ['empty  0+0']],
    ['  \n', ['empty  0+0']],
    ['https://pix.example.com/qr/1', ['not_a_code  0+28']],
    [MANUAL_STATIC.replace('1D3D', '1D3E'), ['crc_wrong  133+4']],
    [MANUAL_STATIC.replace('1D3D', '1d3d'), ['crc_case  133+4']],
    [MANUAL_STATIC.replace('1D3D', '1D3X'), ['crc_not_hex  133+4']],
    [`${MANUAL_STATIC}0102AB`, ['after_crc  137+6', 'initiation 01 141+2']],
    [`${MANUAL_STATIC}xyz`, ['after_crc  137+3']],
    [MANUAL_STATIC.slice(0, -1), ['beyond_end 63 131+2']],
    [MANUAL_STATIC.slice(0, -8), ['missing 63 129+0']],
    [sealed(BODY.replace('5303986', '5303840')), ['currency 53 80+3']],
    [sealed(BODY.replace('5802BR', '5802ZZ')), ['country 58 87+2']],
    [sealed(BODY.replace('5303986', '')), ['missing 53 130+0']],
    [sealed(BODY.replace('5802BR', '')), ['missing 58 131+0']],
    [sealed(BODY.replace('5913Fulano de Tal', '')), ['missing 59 120+0']],
    [sealed(BODY.replace('62070503***', '')), ['missing_txid 62.05 126+0']],
    [sealed(BODY.slice(6)), ['missing 00 0+0']],
    [sealed(`${BODY.slice(6)}000201`), ['first_field 26 0+2']],
    [sealed(BODY.replace('000201', '000202')), ['format_version 00 4+2']],
    [sealed(BODY.replace('000201', '000201010213')), ['initiation 01 10+2']],
    [sealed(withAmount('1,50')), ['amount 54 87+4']],
    [sealed(withAmount('1.505')), ['amount 54 87+5']],
    [sealed(withAmount('0.00')), ['amount_zero 54 87+4']],
    [sealed(BODY.replace('5802BR', '5802BR5802BR')), ['duplicated 58 89+2']],
    [sealed(BODY.replace('5802BR', '5800')), ['no_value 58 83+4']],
    [sealed(BODY.replace('5802BR', '58x2BR')), ['length_not_numeric 58 85+2']],
    [sealed(BODY.replace('5802BR', '5x02BR')), ['id_not_numeric  83+2']],
    [sealed(BODY.replace('0136123e', '0196123e')), ['beyond_end 26.01 30+2']],
    [sealed(BODY.replace('br.gov.bcb.pix', 'br.gov.bcb.pux')), ['no_pix  0+0']],
    [sealed(BODY.replace('0136123e', '0236123e')), ['no_key 26 10+58']],
    [sealed(BODY.replace('2658', '2668').replace(key, `${key}2506a.br/x`)), ['key_and_location 26 10+68']],
    [sealed(BODY.replace('Fulano', 'Fuláno')), ['character  96+1']],
    [sealed(BODY.replace('5913Fulano de Tal', `5926${'F'.repeat(26)}`)), ['name_long 59 93+26']],
    [sealed(BODY.replace('6008BRASILIA', `6016${'B'.repeat(16)}`)), ['city_long 60 110+16']],
    [sealed(BODY.replace('0503***', '0503a b')), ['txid 62.05 126+3']],
    [sealed(DYNAMIC_ONE_USE.slice(0, -8).replace('2555pix.', '2555h://')), ['location_scheme 26.25 38+55']],
  ])('%s', (text, expected) => {
    expect(issuesOf(text)).toEqual(expected);
  });

  test('a wrong checksum names the right one, also where the fields can’t be followed so far', () => {
    expect(readBrCode(MANUAL_STATIC.replace('1D3D', 'ABCD')).issues).toMatchObject([
      { code: 'crc_wrong', params: { found: 'ABCD', right: '1D3D' } },
    ]);
    const cut = readBrCode(MANUAL_STATIC.replace('5913', '5993'));
    expect(cut.issues.map(({ code }) => code)).toEqual(['beyond_end', 'crc_wrong']);
    expect(cut.crc?.found).toBe('1D3D');
  });

  test('Pix Saque may leave the amount to the person who withdraws', () => {
    const saque = withAmount('0.00').replace('2658', '2670').replace(key, `${key}030812345678`);
    expect(readBrCode(sealed(saque)).issues).toEqual([]);
  });

  test('the place of a recurring authorisation is recognised', () => {
    const recurring = BODY.replace(/2658.*?(?=5204)/, `80${'36'}0014br.gov.bcb.pix2514a.br/rec/12345`);
    expect(readBrCode(sealed(recurring))).toMatchObject({ kind: 'automatic', location: 'a.br/rec/12345', issues: [] });
  });

  test('any changed character of a sound code', () => {
    const characters = [...'019AFaf *.', '\n', '\t', '\u00a0', '\u200b', 'é', '💠'];
    for (const text of KNOWN) {
      for (let at = 0; at < text.length; at++) {
        for (const character of characters) {
          if (character === text[at]) continue;
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          expect(readBrCode(changed).issues.length, changed).toBeGreaterThan(0);
        }
      }
    }
  });

  test('any piece of a sound code', () => {
    for (const text of KNOWN) {
      for (let length = 0; length < text.length; length++) {
        expect(readBrCode(text.slice(0, length)).issues.length).toBeGreaterThan(0);
      }
    }
  });
});

test('no text makes it throw, and every issue has its place in the text', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'012634599x.'), maxLength: 200 });
  const broken = fc
    .tuple(fc.constantFrom(...KNOWN), fc.nat(200), fc.nat(20), fc.string({ unit: 'binary', maxLength: 20 }))
    .map(([text, at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), digits, broken), (text) => {
      const { issues, text: read } = readBrCode(text);
      const isPlaced = ({ at, length }: BrCodeIssue) => at >= 0 && length >= 0 && at + length <= read.length;
      return issues.every((issue) => BR_CODE_ISSUES.includes(issue.code) && isPlaced(issue));
    }),
    { numRuns: 500 },
  );
  expect(readBrCode('0'.repeat(1_000_000)).issues.length).toBeGreaterThan(0);
});

function withAmount(amount: string): string {
  return BODY.replace('5802BR', `54${String(amount.length).padStart(2, '0')}${amount}5802BR`);
}
