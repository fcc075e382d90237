import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc16, encodeDynamicBrCode, encodeRecurrenceBrCode, encodeStaticBrCode } from './br-code.ts';
import { BR_CODE_ISSUES } from './br-code-chain.ts';
import { type BrCodeIssue, type BrCodeNode, readBrCode } from './read-br-code.ts';

/** Codes of the central bank's manual, and codes in use. */
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
/**
 * Pix Automático: `dadosQR.pixCopiaECola` of the examples recResponse3, 6 and 7 (bacen/pix-api,
 * openapi.yaml 2.9.0).
 */
const JOURNEY_2 =
  '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9';
const JOURNEY_3 =
  '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa35319489063047741';
const JOURNEY_4 =
  '00020101021226810014br.gov.bcb.pix2559pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e75204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d06304A441';
/**
 * Several payment systems in one code, as the central bank's manual of BR Code has it (quoted in
 * github.com/bacen/pix-api/issues/174): field 80 belongs to another system.
 */
const SEVERAL_SYSTEMS =
  '00020104141234567890123426580014BR.GOV.BCB.PIX0136123e4567-e12b-12d1-a456-42665544000027300012BR.COM.OUTRO011001234567895204000053039865406123.455802BR5917NOME DO RECEBEDOR6008BRASILIA61087007490062190515RP12345678-201980390012BR.COM.OUTRO01190123.ABCD.3456.WXYZ6304AD38';
const COMPOSITE = [JOURNEY_2, JOURNEY_3, JOURNEY_4];
const KNOWN = [
  ...COMPOSITE,
  SEVERAL_SYSTEMS,
  MANUAL_STATIC,
  DYNAMIC_ONE_USE,
  DYNAMIC_WITH_AMOUNT,
  STATIC_WITH_MESSAGE,
  STATIC_FOLDED,
];

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

  test('that we make has no issue either, whatever the names in it', () => {
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

  test('a wrong checksum is reported with the right one, and found also where the fields before it can’t be read', () => {
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

  test('a changed character of a sound code is reported, whichever it is', () => {
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

  test('a piece of a sound code is reported, whichever it is', () => {
    for (const text of KNOWN) {
      for (let length = 0; length < text.length; length++) {
        expect(readBrCode(text.slice(0, length)).issues.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('a code of Pix Automático', () => {
  const place = (access: string) => `pix.example.com/qr/v2/rec/${access}`;
  const field = (id: string, value: string) => id + String(value.length).padStart(2, '0') + value;
  const template = (gui: string, ...fields: string[]) => field('80', field('00', gui) + fields.join(''));
  const PIX = 'br.gov.bcb.pix';
  const RECURRENCE = field('25', place('1'));
  /** A static code, or one with the identifier alone, with these templates before its end. */
  const paying = (...templates: string[]) => sealed(BODY + templates.join(''));
  const asking = (...templates: string[]) =>
    sealed(BODY.replace(/2658.*?(?=5204)/, field('26', field('00', PIX))) + templates.join(''));

  test('of journey 2 asks only for an authorisation', () => {
    expect(readBrCode(JOURNEY_2)).toMatchObject({
      kind: 'automatic',
      journey: 2,
      recurrence: place('2353c790eefb11eaadc10242ac120002'),
      location: null,
      key: null,
      issues: [],
    });
  });

  test('of journeys 3 and 4 asks for it beside a charge, which is another location', () => {
    expect(readBrCode(JOURNEY_3)).toMatchObject({
      kind: 'dynamic',
      journey: 3,
      recurrence: place('94ed2badcbc04c15b0bb7fa353194890'),
      location: 'pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441',
      oneUse: true,
      issues: [],
    });
    expect(readBrCode(JOURNEY_4)).toMatchObject({
      kind: 'dynamic',
      journey: 4,
      recurrence: place('3ffa640fa4f14080adccb949fa2dc0d0'),
      location: 'pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e7',
      issues: [],
    });
  });

  test('with a key beside the authorisation is of journey 4 too', () => {
    expect(readBrCode(paying(template(PIX, RECURRENCE)))).toMatchObject({
      kind: 'static',
      journey: 4,
      key,
      recurrence: place('1'),
      issues: [],
    });
  });

  test('is not recognised where field 80 is another payment system’s', () => {
    expect(readBrCode(SEVERAL_SYSTEMS)).toMatchObject({ kind: 'static', journey: null, recurrence: null, issues: [] });
  });

  test.each([
    ['a wrong checksum', JOURNEY_3.replace('7741', '7742'), ['crc_wrong  241+4']],
    ['field 80 longer than the code', JOURNEY_2.slice(0, 150), ['beyond_end 80 91+2']],
    [
      'field 80 longer than what is in it',
      asking(field('80', `${field('00', PIX)}2558pix.example.com`)),
      ['beyond_end 80.25 113+2'],
    ],
    [
      'another identifier and nothing else',
      asking(template('br.gov.bcb.pux', RECURRENCE)),
      ['recurrence_gui 80 93+49'],
    ],
    [
      'another system’s field 80 and nothing to pay',
      asking(template('br.com.outro', field('01', 'x'))),
      ['recurrence_gui 80 93+21'],
    ],
    ['another identifier beside a key', paying(template('br.gov.bcb.pux', RECURRENCE)), ['recurrence_gui 80 133+49']],
    ['no identifier', paying(field('80', RECURRENCE)), ['recurrence_gui 80 133+31']],
    ['no location', asking(template(PIX)), ['no_recurrence 80 93+18']],
    ['neither a key nor an authorisation', asking(), ['no_key 26 10+18']],
    ['no account', sealed(BODY.replace(/2658.*?(?=5204)/, '') + template(PIX, RECURRENCE)), ['no_pix  0+0']],
    [
      'field 80 twice',
      asking(template(PIX, RECURRENCE), template(PIX, RECURRENCE)),
      ['duplicated 80 142+2', 'recurrence_twice 80 146+49'],
    ],
    [
      'two authorisations',
      asking(template(PIX, RECURRENCE), template(PIX, RECURRENCE).replace('80', '81')),
      ['recurrence_twice 81 146+49'],
    ],
    ['two locations', asking(template(PIX, RECURRENCE, RECURRENCE)), ['duplicated 80.25 142+2']],
    ['a scheme', asking(template(PIX, field('25', 'https://a.br/rec/1'))), ['location_scheme 80.25 115+18']],
    [
      'the location of a charge',
      asking(template(PIX, field('25', 'a.br/qr/cobv/1'))),
      ['recurrence_path 80.25 115+14'],
    ],
  ])('with %s is reported', (_, text, expected) => {
    expect(issuesOf(text)).toEqual(expected);
  });

  test('is read back as it was written, whatever it carries', () => {
    const token = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 1, maxLength: 32 });
    const host = fc.domain().filter(({ length }) => length <= 30);
    const merchantName = fc.string({ unit: 'grapheme', maxLength: 60 });
    const amountCentavos = fc.option(fc.bigInt({ min: 1n, max: 999_999_999_999n }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({ host, token, merchantName, amountCentavos, isDue: fc.boolean() }),
        ({ host, token, merchantName, amountCentavos, isDue }) => {
          const recurrence = `${host}/v2/rec/${token}`;
          const merchant = { merchantName, merchantCity: 'X', recurrence };
          const paid = { ...merchant, ...(amountCentavos === undefined ? {} : { amountCentavos }) };
          const location = `${host}/v2/${isDue ? 'cobv/' : ''}${token}`;
          const sound = { recurrence, issues: [] };
          expect(readBrCode(encodeRecurrenceBrCode(merchant))).toMatchObject({
            kind: 'automatic',
            journey: 2,
            ...sound,
          });
          expect(readBrCode(encodeDynamicBrCode({ ...paid, location }))).toMatchObject({
            kind: 'dynamic',
            journey: isDue ? 4 : 3,
            location,
            ...sound,
          });
          expect(readBrCode(encodeStaticBrCode({ ...paid, key }))).toMatchObject({
            kind: 'static',
            journey: 4,
            key,
            ...sound,
          });
        },
      ),
    );
  });

  test('is written as the standard’s examples are, to the letter', () => {
    const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };
    for (const code of COMPOSITE) {
      const { location, recurrence } = readBrCode(code);
      if (recurrence === null) throw new Error('No authorisation was read.');
      const made = { ...merchant, recurrence };
      expect(location === null ? encodeRecurrenceBrCode(made) : encodeDynamicBrCode({ ...made, location })).toBe(code);
    }
  });

  test.each([
    { recurrence: '' },
    { recurrence: 'https://pix.example.com/rec/1' },
    { recurrence: 'x'.repeat(78) },
    { recurrence: 'a.br/rec/1 2' },
  ])('is never made with %o', (wrong) => {
    expect(() => encodeRecurrenceBrCode({ merchantName: 'X', merchantCity: 'X', ...wrong })).toThrow(RangeError);
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
