import { describe, expect, test } from 'vitest';
import { parsePixCallback } from './parse-pix-callback.ts';

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
const NOTICE = { about: 'payment', endToEndId: END_TO_END_ID, txid: TXID };
const parse = (body: unknown) => parsePixCallback(JSON.stringify(body));
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...PIX, endToEndId: `E${String(index).padStart(31, '0')}` }));

describe('a callback is read', () => {
  test.each<[string, object]>([
    ['as a list', { pix: [PIX] }],
    ['as one object', { pix: PIX }],
    ['as the payment itself', PIX],
    ['with fields of a later version', { pix: [{ ...PIX, novo: {} }], novo: 1 }],
  ])('%s', (_, body) => {
    expect(parse(body)).toEqual([NOTICE]);
  });

  test('with several payments, each once and in their order', () => {
    const other = { ...PIX, endToEndId: `E${'9'.repeat(31)}`, txid: 'abc' };
    expect(parse({ pix: [PIX, other, PIX] })).toEqual([
      NOTICE,
      { about: 'payment', endToEndId: other.endToEndId, txid: 'abc' },
    ]);
  });

  test.each<[string, unknown]>([
    ['of another form', { ...PIX, endToEndId: 'E123' }],
    ['without an id', {}],
    ['that is no object', null],
  ])('with an entry %s, without that entry', (_, other) => {
    expect(parse({ pix: [other, PIX, other] })).toEqual([NOTICE]);
    expect(parse([other, PIX])).toEqual([NOTICE]);
  });

  test.each([undefined, null, '', '***', 7])('with a payment whose txid is %j, as one without', (txid) => {
    expect(parse({ pix: [{ ...PIX, txid }] })).toEqual([{ ...NOTICE, txid: null }]);
  });

  test('with up to a thousand payments', () => {
    expect(parse({ pix: numbered(1000) })).toHaveLength(1000);
    expect(parse({ pix: numbered(1001) })).toBeNull();
  });
});

describe('a callback names refunds', () => {
  const REFUND = { about: 'refund', endToEndId: END_TO_END_ID, refundId: '123ABC' };
  const other = { ...DEVOLUCAO, id: 'f'.repeat(35) };

  test.each<[string, unknown, object[]]>([
    ['as a list', [DEVOLUCAO], [REFUND]],
    ['as one object', DEVOLUCAO, [REFUND]],
    ['several, each once', [DEVOLUCAO, other, DEVOLUCAO], [REFUND, { ...REFUND, refundId: other.id }]],
    ['among entries without an id', [null, {}, { id: 'a/b' }, { id: 7 }, DEVOLUCAO], [REFUND]],
    ['or says nothing one can read about them', 'x', []],
    ['or an empty list', [], []],
  ])('%s', (_, devolucoes, refunds) => {
    expect(parse({ pix: [{ ...PIX, devolucoes }] })).toEqual([NOTICE, ...refunds]);
  });

  test('of two payments under one id, both', () => {
    const second = { ...PIX, endToEndId: `E${'9'.repeat(31)}`, devolucoes: DEVOLUCAO };
    expect(parse({ pix: [{ ...PIX, devolucoes: DEVOLUCAO }, second] })).toHaveLength(4);
  });

  test('up to a thousand notices, payments included', () => {
    const devolucoes = Array.from({ length: 1000 }, (_, index) => ({ id: String(index) }));
    expect(parse({ pix: [{ ...PIX, devolucoes: devolucoes.slice(1) }] })).toHaveLength(1000);
    expect(parse({ pix: [{ ...PIX, devolucoes }] })).toBeNull();
  });
});

describe('a callback names payouts', () => {
  // Efí's own examples (dev.efipay.com.br, "Webhooks"), short end-to-end id included.
  const SENT = {
    endToEndId: 'E090893562021030PIf25a7868',
    chave: '2c3c7441-b91e-4982-3c25-6105581e18ae',
    tipo: 'SOLICITACAO',
    status: 'REALIZADO',
    valor: '0.01',
    horario: '2021-03-04T20:39:47.000Z',
    gnExtras: { idEnvio: '123ABC' },
  };
  const erro = { codigo: 'AC03', origem: 'PSP do usuário recebedor', motivo: 'Número da agência inexistente' };
  const PAYOUT = { about: 'payout', payoutId: '123ABC' };

  test.each<[string, object]>([
    ['done', SENT],
    ['refused', { ...SENT, status: 'NAO_REALIZADO', horario: null, gnExtras: { idEnvio: '123ABC', erro } }],
    ['that came back', { ...SENT, endToEndId: END_TO_END_ID, devolucoes: [DEVOLUCAO] }],
  ])('%s, and takes them for no payment', (_, entry) => {
    expect(parse({ pix: [entry] })).toEqual([PAYOUT]);
    expect(parse({ pix: entry })).toEqual([PAYOUT]);
  });

  test('among payments, each once', () => {
    expect(parse({ pix: [PIX, SENT, SENT] })).toEqual([NOTICE, PAYOUT]);
  });

  test.each<[string, unknown]>([
    ['the payer', { pagador: { nome: 'Fulano', cpf: '12345678909' } }],
    ['an id that is not ours', { idEnvio: '../webhook' }],
    ['nothing one can read', 'x'],
  ])("unless Efí's extras hold %s", (_, gnExtras) => {
    expect(parse({ pix: [{ ...PIX, gnExtras }] })).toEqual([NOTICE]);
  });
});

test('a list without the object around it, as Banco Inter posts it, is read as well', () => {
  expect(parsePixCallback(JSON.stringify([PIX]))).toEqual([NOTICE]);
});

describe('what is no callback is null', () => {
  test.each([
    '',
    'pix',
    'null',
    '[]',
    '[[]]',
    '[null]',
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
    ['F12345678202009091221kkkkkkkkkkk'],
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
