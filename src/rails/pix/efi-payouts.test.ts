import { beforeEach, describe, expect, test } from 'vitest';
import type { PixPayoutRail } from '../ports.ts';
import type { ApiPixRailOptions } from './api-pix-rail.ts';
import { PIX_KEY, TXID, UNAVAILABLE } from './testing/examples.ts';
import { setUpRailUnderTest } from './testing/rail-under-test.ts';
import { type Answer, startScriptedPsp } from './testing/scripted-psp.ts';

const setup = setUpRailUnderTest();

const ID = '0190d5c2a1b37c4d8e9f00112233aabb';
const PAYEE = '+5551998259765';
const REQUEST = { payoutId: ID, amountCentavos: 1234n, pixKey: PAYEE, description: 'Segue o pagamento da conta' };
const E2E = 'E09089356202011251226APIff82f2e5';
const ERRORS = 'https://pix.bcb.gov.br/api/v2/error/';
// Efí's own examples (dev.efipay.com.br, "Envio e Pagamento Pix").
const SENT = {
  idEnvio: ID,
  e2eId: E2E,
  valor: '12.34',
  horario: { solicitacao: '2021-11-25T12:26:42.905Z' },
  status: 'EM_PROCESSAMENTO',
};
const ASKED = {
  endToEndId: E2E,
  idEnvio: ID,
  valor: '12.34',
  chave: PIX_KEY,
  status: 'REALIZADO',
  infoPagador: 'Segue o pagamento da conta',
  horario: { solicitacao: '2022-10-26T09:05:32.000Z', liquidacao: '2022-10-26T09:05:31.000Z' },
  favorecido: { chave: PAYEE, identificacao: { nome: 'Francisco da Silva', cpf: '***.456.789-**' } },
};
const PAYOUT = {
  payoutId: ID,
  status: 'processing',
  amountCentavos: 1234n,
  endToEndId: E2E,
  receiver: null,
  failureCode: null,
};
const RECEIVER = { name: 'Francisco da Silva', document: '***.456.789-**' };
const company = (document: string | null) => ({ name: 'Malhas do Sul Ltda', document });
const accepted: Answer = { status: 201, body: SENT };
const efi = (status: number, nome: string, mensagem: string, more = {}): Answer => ({
  status,
  body: { nome, mensagem, ...more },
});
const AC03 = {
  idEnvio: ID,
  erro: { codigo: 'AC03', origem: 'PSP do usuário recebedor', motivo: 'Conta inexistente ou inválida' },
};

let payouts: PixPayoutRail;
const connect = (options: Partial<ApiPixRailOptions> = {}) => {
  const { payouts: rail } = setup.connect({
    payouts: { baseUrl: setup.psp.baseUrl, lostAfterMs: 60_000 },
    ...options,
  });
  if (!rail) throw new Error('There is no payout rail.');
  return rail;
};
beforeEach(() => {
  payouts = connect();
});

describe('a payout', () => {
  test("is asked for in the words of Efí's example, and its answer is understood", async () => {
    setup.psp.answers = [accepted];
    expect(await payouts.sendPayout(REQUEST)).toEqual({ outcome: 'done', value: PAYOUT });
    expect(setup.psp.calls).toHaveLength(1);
    expect(setup.psp.calls[0]).toMatchObject({
      call: `PUT /psp/api/v3/gn/pix/${ID}`,
      body:
        `{"valor":"12.34","pagador":{"chave":"${PIX_KEY}","infoPagador":"Segue o pagamento da conta"},` +
        `"favorecido":{"chave":"${PAYEE}"}}`,
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    });
    expect(setup.calls).toMatchObject([{ operation: 'sendPayout', outcome: 'done' }]);
    expect(payouts.lostAfterMs).toBe(60_000);
  });

  test('needs no description, and has one cut to the length Efí takes', async () => {
    setup.psp.answers = [accepted, accepted];
    await payouts.sendPayout({ ...REQUEST, description: null });
    await payouts.sendPayout({ ...REQUEST, description: 'é'.repeat(200) });
    const texts = setup.psp.calls.map(({ body }) => JSON.parse(body).pagador.infoPagador);
    expect(texts).toEqual([undefined, 'é'.repeat(140)]);
  });

  test('has a token that sends and nothing else, and where none are set up nothing asks for one', async () => {
    setup.psp.answers = [accepted, { status: 200, body: ASKED }];
    await payouts.sendPayout(REQUEST);
    await payouts.findPayout(ID);
    const scopes = setup.psp.tokenCalls.map(({ body }) => new URLSearchParams(body).get('scope'));
    expect(scopes).toEqual(['pix.send gn.pix.send.read']);
    expect(setup.rail.payouts).toBeNull();
    await setup.rail.findCharge(TXID);
    expect(new URLSearchParams(setup.psp.tokenCalls[1]?.body).get('scope')).not.toMatch(/send/);
  });

  test('goes to its own host, token and all', async () => {
    const other = await startScriptedPsp();
    try {
      other.answers = [accepted];
      const rail = connect({ payouts: { baseUrl: other.baseUrl, lostAfterMs: 1 } });
      expect(await rail.sendPayout(REQUEST)).toMatchObject({ outcome: 'done' });
      expect([other.tokenCalls.length, other.calls.length]).toEqual([1, 1]);
      expect([...setup.psp.tokenCalls, ...setup.psp.calls]).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe('a payout whose answer cannot be relied on', () => {
  test.each<[string, Answer, RegExp]>([
    ['a connection that breaks', 'cut', /no usable answer/],
    ['no answer', 'silence', /no answer in time/],
    ['5xx', UNAVAILABLE, /HTTP 503/],
    ['500 in the words of Efí', efi(500, 'erro_aplicacao', 'Ocorreu um erro ao validar a chave'), /erro_aplicacao/],
    ['429', efi(429, 'balde_fichas_vazio', 'Não há fichas'), /HTTP 429/],
    ['a time-out in between', efi(408, 'timeout', 'Tempo esgotado'), /HTTP 408/],
    ['another id', { status: 201, body: { ...SENT, idEnvio: 'other' } }, /another payout/],
    ['another amount', { status: 201, body: { ...SENT, valor: '12.35' } }, /another amount/],
    ['a state that is not documented', { status: 201, body: { ...SENT, status: 'NOVO' } }, /status/],
    ['an amount as a number', { status: 201, body: { ...SENT, valor: 12.34 } }, /valor/],
    ['half of JSON', { status: 201, body: '{"idEnvio":' }, /the body/],
    ['HTML', { status: 200, body: '<html>Bem-vindo</html>' }, /the body/],
    ['nothing in it', { status: 201 }, /the body/],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }, /HTTP 307/],
    ['4xx in HTML', { status: 403, body: '<html>Blocked</html>' }, /without a problem body/],
    ['an id in use', efi(409, 'id_envio_duplicado', 'O id de envio informado já foi utilizado'), /id_envio_duplicado/],
    ['409 without a word about it', efi(409, 'conflito', 'Conflito'), /HTTP 409/],
    ['an id in use with 400', efi(400, 'valor_invalido', 'O idEnvio já existe'), /HTTP 400/],
    ['an id in use as a problem', { status: 422, body: { title: 'id de envio duplicado' } }, /HTTP 422/],
  ])('is unknown, and requested exactly once: %s', async (_, answer, reason) => {
    setup.psp.answers = [answer, accepted, accepted];
    expect(await connect({ callTimeoutMs: 500 }).sendPayout(REQUEST)).toEqual({
      outcome: 'unknown',
      reason: expect.stringMatching(reason),
    });
    expect(setup.psp.calls).toHaveLength(1);
  });

  test('is requested exactly once also when the connection had served before', async () => {
    setup.psp.answers = [{ status: 200, body: ASKED }, 'cut', accepted];
    await payouts.findPayout(ID);
    expect(await payouts.sendPayout(REQUEST)).toMatchObject({ outcome: 'unknown' });
    expect(setup.psp.calls.map(({ call }) => call.split(' ')[0])).toEqual(['GET', 'PUT']);
  });

  test('is not requested at all when there is no token', async () => {
    setup.psp.tokenAnswers = ['cut'];
    expect(await payouts.sendPayout(REQUEST)).toMatchObject({ outcome: 'unknown' });
    expect(setup.psp.calls).toEqual([]);
  });

  test('is requested once more with a fresh token, because a 401 says that nothing was done', async () => {
    setup.psp.answers = [{ status: 401, body: { title: 'Não autorizado' } }, accepted];
    expect(await payouts.sendPayout(REQUEST)).toEqual({ outcome: 'done', value: PAYOUT });
    expect(setup.psp.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);

    setup.psp.answers = [{ status: 401 }, 'cut', accepted];
    expect(await payouts.sendPayout(REQUEST)).toMatchObject({ outcome: 'unknown' });
    expect(setup.psp.calls).toHaveLength(4);
  });
});

describe('a payout that Efí rejects', () => {
  test.each<[string, Answer, string | null]>([
    ['without a code', efi(422, 'pagamento_negado', 'Pagamento negado por análises'), null],
    [
      'for a key that does not exist',
      efi(404, 'chave_favorecido_nao_encontrada', 'A chave informada não foi encontrada'),
      'key_not_found',
    ],
    ['with a list of errors', efi(400, 'json_invalido', 'x', { erros: [{ caminho: '.body', mensagem: 'y' }] }), null],
    ['with a code in its place', efi(422, 'pagamento_negado', 'Negado', { gnExtras: AC03 }), 'AC03'],
    ['with a code beside it', efi(422, 'pagamento_negado', 'Negado', { erro: { codigo: 'AM02' } }), 'AM02'],
    ['with a code as a field', efi(422, 'pagamento_negado', 'Negado', { codigo: 'FRAD' }), 'FRAD'],
    ['with a code in words', efi(422, 'pagamento_negado', 'Rejeitado pelo SPI (AC07): conta encerrada'), 'AC07'],
    ['as a problem', { status: 400, body: { title: 'Pix inválido.', detail: 'BE01: documento diverge' } }, 'BE01'],
    ['without a fresh token', { status: 401 }, null],
  ])('is rejected %s', async (_, answer, failureCode) => {
    setup.psp.answers = [answer, answer];
    expect(await payouts.sendPayout(REQUEST)).toEqual({
      outcome: 'rejected',
      reason: expect.stringMatching(/^HTTP 4\d\d/),
      failureCode,
    });
  });

  test('has no code where a part of a key looks like one', async () => {
    const pixKey = '12345678-ab12-4cd3-8ef4-426655440000';
    setup.psp.answers = [efi(400, 'chave_invalida', `A chave ${pixKey.toUpperCase()} é inválida`)];
    expect(await payouts.sendPayout({ ...REQUEST, pixKey })).toMatchObject({ outcome: 'rejected', failureCode: null });
  });

  test.each([400, 409, 422, 500])('has a reason that never holds a key or a secret, with %i', async (status) => {
    const basic = Buffer.from('shop:s3cret:with/signs').toString('base64');
    for (const quoted of [
      PAYEE,
      '(51) 99825-9765',
      '+55 51 99825 9765',
      's3cret:with/signs',
      `Basic ${basic}`,
      PIX_KEY,
    ]) {
      for (const body of [
        { nome: 'chave_invalida', mensagem: `A chave ${quoted} é inválida`, erros: [{ mensagem: quoted }] },
        { title: `${'x'.repeat(485)} ${quoted}`, detail: quoted, violacoes: [{ razao: quoted, propriedade: quoted }] },
      ]) {
        setup.psp.answers = [{ status, body }];
        const result = JSON.stringify(await payouts.sendPayout(REQUEST));
        expect(result).toContain('***');
        expect(result).not.toMatch(/9825|9765|s3cret|c2hvc|7d9f/i);
      }
    }
  });
});

describe('the outcome of a payout', () => {
  test.each([
    ['EM_PROCESSAMENTO', 'processing'],
    ['REALIZADO', 'completed'],
    ['NAO_REALIZADO', 'failed'],
  ])('%s is %s', async (status, ours) => {
    setup.psp.answers = [{ status: 200, body: { ...ASKED, status } }];
    expect(await payouts.findPayout(ID)).toEqual({
      outcome: 'done',
      value: { ...PAYOUT, receiver: RECEIVER, status: ours },
    });
    expect(setup.psp.calls[0]?.call).toBe(`GET /psp/api/v2/gn/pix/enviados/id-envio/${ID}`);
    expect(setup.calls).toMatchObject([{ operation: 'findPayout', outcome: 'done' }]);
  });

  test.each<[string, object, string | null]>([
    ['in its place', { gnExtras: AC03 }, 'AC03'],
    ['in words beside it', { gnExtras: { erro: { motivo: 'Rejeitado: AB03' } } }, 'AB03'],
    ['in words', { motivo: 'AM04 saldo insuficiente' }, 'AM04'],
    ['nowhere', { motivo: 'Negado por timeout' }, null],
    ['in no form one can read', { gnExtras: 'AC03', motivo: 7 }, null],
  ])('when it failed comes with the code of the SPI %s', async (_, more, failureCode) => {
    setup.psp.answers = [{ status: 200, body: { ...ASKED, status: 'NAO_REALIZADO', ...more } }];
    expect(await payouts.findPayout(ID)).toEqual({
      outcome: 'done',
      value: { ...PAYOUT, receiver: RECEIVER, status: 'failed', failureCode },
    });
  });

  test('has no code when it did not fail, and no end-to-end id of another form', async () => {
    setup.psp.answers = [{ status: 200, body: { ...ASKED, gnExtras: AC03, endToEndId: 'E090893562021030PIf25a7868' } }];
    expect(await payouts.findPayout(ID)).toEqual({
      outcome: 'done',
      value: { ...PAYOUT, receiver: RECEIVER, status: 'completed', endToEndId: null },
    });
  });

  test.each<[string, unknown, { name: string; document: string | null } | null]>([
    [
      'a company’s',
      { identificacao: { nome: 'Malhas do Sul Ltda', cnpj: '11222333000181' } },
      company('11222333000181'),
    ],
    ['without a document', { identificacao: { nome: ' Malhas  do Sul Ltda ' } }, company(null)],
    [
      'with a document that is none',
      { identificacao: { nome: 'Malhas do Sul Ltda', cpf: '\0', cnpj: 7 } },
      company(null),
    ],
    ['that would break, hide or turn', { identificacao: { nome: 'Malhas\n\u202edo\0Sul\ud83d Ltda' } }, company(null)],
    ['that is too long', { identificacao: { nome: '😀'.repeat(300) } }, { name: '😀'.repeat(200), document: null }],
    ['that is empty', { identificacao: { nome: '\0 ', cpf: '***.456.789-**' } }, null],
    ['that is no text', { identificacao: { nome: { first: 'Maria' } } }, null],
    ['of an account by its number', { contaBanco: { nome: 'Malhas do Sul Ltda' } }, null],
    ['in no form one can read', 'Maria', null],
    ['that is not there', undefined, null],
  ])('names the receiver as far as it can be shown: a name %s', async (_, favorecido, receiver) => {
    setup.psp.answers = [{ status: 200, body: { ...ASKED, favorecido } }];
    expect(await payouts.findPayout(ID)).toEqual({
      outcome: 'done',
      value: { ...PAYOUT, status: 'completed', receiver },
    });
  });

  test('is nothing only when the PSP itself says so', async () => {
    const type = `${ERRORS}PixEnviadoNaoEncontrado`;
    const detail = 'Pix enviado não encontrado para o idEnvio informado.';
    setup.psp.answers = [{ status: 404, body: { type, title: 'Não Encontrado', status: 404, detail } }];
    expect(await payouts.findPayout(ID)).toEqual({ outcome: 'done', value: null });
    for (const body of ['<html>404</html>', { message: 'no route' }, '']) {
      setup.psp.answers = [{ status: 404, body }];
      expect(await payouts.findPayout(ID)).toMatchObject({ outcome: 'unknown' });
    }
  });

  test.each<[string, Answer]>([
    ['Efí’s own name for a Pix', efi(400, 'pix_nao_encontrado', 'Pix não encontrado')],
    ['Efí’s own name for an idEnvio', efi(404, 'id_envio_nao_encontrado', 'idEnvio não encontrado')],
  ])('is nothing by %s', async (_, answer) => {
    setup.psp.answers = [answer];
    expect(await payouts.findPayout(ID)).toEqual({ outcome: 'done', value: null });
  });

  test.each<[string, Answer]>([
    [
      'the standard’s general problem',
      { status: 404, body: { type: `${ERRORS}NaoEncontrado`, title: 'Não Encontrado' } },
    ],
    [
      'the problem of a path',
      { status: 404, body: { type: 'about:blank', title: 'Not Found', detail: 'No resource.' } },
    ],
    ['a problem without a type', { status: 404, body: { title: 'Not Found', status: 404 } }],
    ['a key that is not there', efi(404, 'chave_favorecido_nao_encontrada', 'A chave informada não foi encontrada')],
    ['an account that is not there', efi(400, 'conta_nao_encontrada', 'Conta não encontrada')],
  ])('is not given up for %s: it may have been sent', async (_, answer) => {
    setup.psp.answers = [answer];
    expect((await payouts.findPayout(ID)).outcome).not.toBe('done');
  });

  test('is unknown when the PSP answers about another one', async () => {
    setup.psp.answers = [{ status: 200, body: { ...ASKED, idEnvio: 'other' } }];
    expect(await payouts.findPayout(ID)).toMatchObject({ outcome: 'unknown' });
  });

  test('is repeated while the failure can pass', async () => {
    setup.psp.answers = [UNAVAILABLE, 'cut', { status: 200, body: ASKED }];
    expect(await payouts.findPayout(ID)).toMatchObject({ outcome: 'done', value: { status: 'completed' } });
    expect(setup.psp.calls).toHaveLength(3);
  });
});

describe('the list of what was sent', () => {
  const QUERY = { from: new Date('2022-10-26T00:00:00Z'), to: new Date('2022-10-27T00:00:00Z'), page: 0 };
  const page = (pix: unknown, quantidadeDePaginas = 1): Answer => ({
    status: 200,
    body: { parametros: { paginacao: { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas } }, pix },
  });
  const LISTED = {
    payoutId: ID,
    endToEndId: E2E,
    status: 'completed',
    amountCentavos: 1234n,
    sentAt: new Date('2022-10-26T09:05:31.000Z'),
    returns: [],
  };

  test('is read where the one payout of a page is the object itself', async () => {
    setup.psp.answers = [page(ASKED)];
    expect(await payouts.listPayouts(QUERY)).toMatchObject({ value: { payouts: [LISTED], unreadable: 0 } });
  });

  test('has ours and those of others, and one that can’t be read hides no other', async () => {
    const { idEnvio: _, ...other } = ASKED;
    setup.psp.answers = [page([ASKED, other, { ...ASKED, valor: 'muito' }], 2)];
    expect(await payouts.listPayouts(QUERY)).toEqual({
      outcome: 'done',
      value: { payouts: [LISTED, { ...LISTED, payoutId: null }], unreadable: 1, hasMore: true },
    });
  });

  test('has the completed returns of a payout, and counts those that can’t be booked', async () => {
    const back = {
      ...{ id: 'a1', rtrId: 'D09089356202211261226APIff82f2e5', valor: '2.34', status: 'DEVOLVIDO' },
      horario: { solicitacao: '2022-11-26T09:00:00.000Z', liquidacao: '2022-11-26T09:00:01.000Z' },
    };
    const { rtrId: _, ...nameless } = back;
    const devolucoes = [back, { ...back, status: 'EM_PROCESSAMENTO' }, nameless, { ...back, valor: 'muito' }];
    setup.psp.answers = [
      page([
        { ...ASKED, devolucoes },
        { ...ASKED, devolucoes: 'nenhuma' },
        { ...ASKED, devolucoes: back },
      ]),
    ];
    const returned = { returnId: back.rtrId, amountCentavos: 234n, at: new Date(back.horario.liquidacao) };
    expect(await payouts.listPayouts(QUERY)).toMatchObject({
      value: {
        payouts: [{ ...LISTED, returns: [returned] }, LISTED, { ...LISTED, returns: [returned] }],
        unreadable: 2,
      },
    });
  });

  test.each<[string, object, string]>([
    ['as a text', { horario: '2022-11-26T09:00:01.000Z' }, '2022-11-26T09:00:01.000Z'],
    ['in no form one can read', { horario: 'ontem' }, ASKED.horario.liquidacao],
    ['nowhere', {}, ASKED.horario.liquidacao],
  ])('has what came back also without an id and a state, its time %s', async (_, horario, at) => {
    const rtrId = 'D09089356202211261226APIff82f2e5';
    setup.psp.answers = [page([{ ...ASKED, devolucoes: [{ rtrId, valor: '2.34', ...horario }, { valor: '1.00' }] }])];
    expect(await payouts.listPayouts(QUERY)).toMatchObject({
      value: {
        payouts: [{ returns: [{ returnId: rtrId, amountCentavos: 234n, at: new Date(at) }] }],
        unreadable: 1,
      },
    });
  });

  test('is empty when Efí says so with 404, and of a PSP that answers otherwise is not believed to be', async () => {
    const none = (type: string): Answer => ({
      status: 404,
      body: { type: `${ERRORS}${type}`, title: 'Não Encontrado' },
    });
    setup.psp.answers = [none('PixEnviadoNaoEncontrado'), none('NaoEncontrado'), { status: 200, body: [ASKED] }];
    expect(await payouts.listPayouts(QUERY)).toEqual({
      outcome: 'done',
      value: { payouts: [], unreadable: 0, hasMore: false },
    });
    expect(await payouts.listPayouts(QUERY)).toMatchObject({ outcome: 'rejected' });
    expect(await payouts.listPayouts(QUERY)).toMatchObject({ outcome: 'unknown' });
  });
});
