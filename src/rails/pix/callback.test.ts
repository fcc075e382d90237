import { describe, expect, test } from 'vitest';
import { parsePixCallback } from './callback.ts';

// The standard's own example (API Pix 2.9.0), but for the changes named in each test.
const END_TO_END_ID = 'E12345678202009091221kkkkkkkkkkk';
const TXID = 'c3e0e7a4e7f1469a9f782d3d4999343c';
const DEVOLUCAO = {
  id: '123ABC',
  rtrId: 'D12345678202009091221abcdf098765',
  valor: '10.00',
  horario: { solicitacao: '2020-09-09T20:15:00.358Z' },
  status: 'EM_PROCESSAMENTO',
};
const PIX = {
  endToEndId: END_TO_END_ID,
  txid: TXID,
  valor: '110.00',
  horario: '2020-09-09T20:15:00.358Z',
  infoPagador: '0123456789',
};
const NOTICE = { endToEndId: END_TO_END_ID, txid: TXID };
const parse = (body: unknown) => parsePixCallback(JSON.stringify(body));
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...PIX, endToEndId: `E${String(index).padStart(31, '0')}` }));

describe('a callback is read', () => {
  test.each<[string, object]>([
    ['as a list', { pix: [PIX] }],
    ['as one object', { pix: PIX }],
    ['with refunds as a list', { pix: [{ ...PIX, devolucoes: [DEVOLUCAO] }] }],
    ['with refunds as one object', { pix: [{ ...PIX, devolucoes: DEVOLUCAO }] }],
    ['with fields of a later version', { pix: [{ ...PIX, novo: {} }], novo: 1 }],
  ])('%s', (_, body) => {
    expect(parse(body)).toEqual([NOTICE]);
  });

  test('with several payments, each once and in their order', () => {
    const other = { ...PIX, endToEndId: `E${'9'.repeat(31)}`, txid: 'abc' };
    expect(parse({ pix: [PIX, other, PIX] })).toEqual([NOTICE, { endToEndId: other.endToEndId, txid: 'abc' }]);
  });

  test.each([undefined, null, '', '***', 7])('with a payment whose txid is %j, as one without', (txid) => {
    expect(parse({ pix: [{ ...PIX, txid }] })).toEqual([{ endToEndId: END_TO_END_ID, txid: null }]);
  });

  test('with up to a thousand payments', () => {
    expect(parse({ pix: numbered(1000) })).toHaveLength(1000);
    expect(parse({ pix: numbered(1001) })).toBeNull();
  });
});

describe('what is no callback is null', () => {
  test.each([
    '',
    'pix',
    'null',
    '[]',
    '{}',
    '"pix"',
    '{"pix":null}',
    '{"pix":"E"}',
    '{"pix":[null]}',
    '{"pix":[[]]}',
    '{"evento":"teste_webhook"}',
    '{"__proto__":{"pix":[]}}',
    `{"pix":${'['.repeat(20_000)}`,
    `{"pix":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  ])('%.40s', (body) => {
    expect(parsePixCallback(body)).toBeNull();
  });

  test.each([
    ['D12345678202009091221kkkkkkkkkkk'],
    ['E12345678202009091221kkkkkkkkkk'],
    ['E12345678202009091221kkkkkkkkkkkk'],
    ['E12345678202009091221kkkkkkkkkk/'],
    ['E12345678202009091221kkkkkkkkkk\n'],
    ['E12345678202009091221kkkkkkkkkké'],
    [7],
    [undefined],
  ])('a payment whose id is %j', (endToEndId) => {
    expect(parse({ pix: [{ ...PIX, endToEndId }] })).toBeNull();
  });
});
