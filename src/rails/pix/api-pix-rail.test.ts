import { describe, expect, test } from 'vitest';
import {
  CHARGE,
  COB,
  CREATED,
  DEVOLUCAO,
  END_TO_END_ID,
  LISTED_REFUND,
  PAYMENT,
  PIX,
  PIX_KEY,
  PROBLEM,
  REQUEST,
  TXID,
  UNAVAILABLE,
} from './testing/examples.ts';
import { setUpRailUnderTest } from './testing/rail-under-test.ts';
import { type Answer, NOT_FOUND } from './testing/scripted-psp.ts';

const setup = setUpRailUnderTest();

describe('a charge', () => {
  test("is asked for in the words of the standard's example, and its answer is understood", async () => {
    setup.psp.answers = [CREATED];
    expect(await setup.rail.createCharge(REQUEST)).toEqual({ outcome: 'done', value: CHARGE });
    expect(setup.psp.calls).toHaveLength(1);
    expect(setup.psp.calls[0]).toMatchObject({
      call: `PUT /psp/api/cob/${TXID}`,
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    });
    expect(setup.psp.calls[0]?.body).toBe(
      '{"calendario":{"expiracao":3600},"devedor":{"cnpj":"12345678000195","nome":"Empresa de Serviços SA"},' +
        '"valor":{"original":"37.00"},"chave":"7d9f0335-8dcc-4054-9bf9-0dbd61d36906",' +
        '"solicitacaoPagador":"Serviço realizado."}',
    );
  });

  test('needs neither payer nor description', async () => {
    setup.psp.answers = [CREATED];
    expect((await setup.rail.createCharge({ ...REQUEST, payer: null, description: null })).outcome).toBe('done');
    expect(JSON.parse(setup.psp.calls[0]?.body ?? '')).toEqual({
      calendario: { expiracao: 3600 },
      valor: { original: '37.00' },
      chave: PIX_KEY,
    });
  });

  test("has its texts cut to the standard's lengths without halving a character", async () => {
    setup.psp.answers = [CREATED];
    const payer = { name: `${'é'.repeat(199)}😀😀`, document: '12345678909', documentType: 'cpf' as const };
    await setup.rail.createCharge({ ...REQUEST, payer, description: `${'a'.repeat(139)}😀b` });
    expect(JSON.parse(setup.psp.calls[0]?.body ?? '')).toMatchObject({
      devedor: { cpf: '12345678909', nome: `${'é'.repeat(199)}😀` },
      solicitacaoPagador: `${'a'.repeat(139)}😀`,
    });
  });

  test("cannot be asked for at another route by way of its txid, and the key's plus sign is escaped", async () => {
    await setup.rail.findCharge('../webhook/x?y');
    await setup.connect({ pixKey: '+5551998259765' }).registerWebhook('https://shop.example/callback');
    expect(setup.psp.calls[0]?.call).toBe('GET /psp/api/cob/..%2Fwebhook%2Fx%3Fy');
    expect(setup.psp.calls[1]?.call).toBe('GET /psp/api/webhook/%2B5551998259765');
  });

  test('without an expiry in the answer has the default', async () => {
    setup.psp.answers = [{ status: 201, body: { ...COB, calendario: { criacao: '2020-09-09T17:15:00.358-03:00' } } }];
    expect(await setup.rail.createCharge(REQUEST)).toEqual({
      outcome: 'done',
      value: { ...CHARGE, expiresInSeconds: 86_400 },
    });
  });

  const { location } = COB;
  const leadsThere = `00020101021226730014br.gov.bcb.pix2551${location}520400005303986540537.00`;
  test.each<[string, object, string | null]>([
    ['Sicoob’s name of it has that', { brcode: COB.pixCopiaECola, location }, COB.pixCopiaECola],
    ['a location has the one that leads there', { location }, leadsThere],
    ['a location in the loc alone has the one that leads there', { loc: { location } }, leadsThere],
    ['a location with a scheme has the one that leads there', { location: `https://${location}` }, leadsThere],
    ['a location that no code has room for has none', { location: 'x'.repeat(78) }, null],
    ['no location either has none', {}, null],
  ])('without a copy-and-paste code but with %s', async (_, given, code) => {
    const { pixCopiaECola: _code, location: _location, loc: _loc, ...cob } = COB;
    setup.psp.answers = [{ status: 201, body: { ...cob, ...given } }];
    const created = await setup.rail.createCharge(REQUEST);
    const brCode = code === leadsThere ? expect.stringMatching(`^${leadsThere}5802BR.*6304[0-9A-F]{4}$`) : code;
    expect(created).toEqual({ outcome: 'done', value: { ...CHARGE, brCode } });
  });
});

describe('the outcome of a charge', () => {
  test('does not depend on its copy-and-paste code: one that can’t be stored is left out', async () => {
    setup.psp.answers = [{ status: 200, body: { ...COB, pixCopiaECola: `${COB.pixCopiaECola}\0` } }];
    expect(await setup.rail.findCharge(TXID)).toEqual({ outcome: 'done', value: { ...CHARGE, brCode: null } });
  });

  test.each<[string, object]>([
    ['a code that is empty', { pixCopiaECola: '' }],
    ['a code that is too long', { pixCopiaECola: '0'.repeat(513) }],
    ['times as texts without a zone', { calendario: { criacao: '2020-09-09T20:15:00', expiracao: '3600' } }],
    ['no times', { calendario: undefined }],
  ])('does not depend on %s', async (_, changes) => {
    setup.psp.answers = [{ status: 200, body: { ...COB, ...changes, status: 'CONCLUIDA', pix: [PIX] } }];
    expect(await setup.rail.findCharge(TXID)).toMatchObject({ value: { status: 'paid', payments: [PAYMENT] } });
  });

  test.each([
    ['ATIVA', 'active'],
    ['CONCLUIDA', 'paid'],
    ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'cancelled'],
    ['REMOVIDA_PELO_PSP', 'cancelled'],
    ['NOVA', null],
  ])('%s is %s', async (status, ours) => {
    setup.psp.answers = [{ status: 200, body: { ...COB, status } }];
    expect(await setup.rail.findCharge(TXID)).toEqual({ outcome: 'done', value: { ...CHARGE, status: ours } });
    expect(setup.psp.calls[0]?.call).toBe(`GET /psp/api/cob/${TXID}`);
  });

  test.each<[string, object]>([
    ['a refund as a list', { ...PIX, devolucoes: [DEVOLUCAO] }],
    ['a refund as an object', { ...PIX, devolucoes: DEVOLUCAO }],
    ['no txid of its own', { ...PIX, txid: undefined }],
    ['one decimal', { ...PIX, valor: '110.0' }],
  ])('lists what was paid, with %s', async (_, pix) => {
    setup.psp.answers = [{ status: 200, body: { ...COB, status: 'CONCLUIDA', pix: [pix] } }];
    expect(await setup.rail.findCharge(TXID)).toEqual({
      outcome: 'done',
      value: {
        ...CHARGE,
        status: 'paid',
        payments: [{ ...PAYMENT, refunds: 'devolucoes' in pix ? [LISTED_REFUND] : [] }],
      },
    });
  });

  test('is that of its one payment, also where that is the object itself and not a list', async () => {
    setup.psp.answers = [{ status: 200, body: { ...COB, status: 'CONCLUIDA', pix: PIX } }];
    expect(await setup.rail.findCharge(TXID)).toMatchObject({ value: { status: 'paid', payments: [PAYMENT] } });
    setup.psp.answers = [{ status: 200, body: { ...COB, status: 'CONCLUIDA', pix: { ...PIX, valor: '?' } } }];
    expect(await setup.rail.findCharge(TXID)).toMatchObject({ value: { status: null, payments: [] } });
  });

  test('is read where a payer’s line break stands in it as it is, which is no JSON', async () => {
    const pix = [{ ...PIX, infoPagador: 'Mensalidade (-5|%)' }];
    const body = JSON.stringify({ ...COB, status: 'CONCLUIDA', pix }, null, '\t').replace('|', '\n');
    setup.psp.answers = [{ status: 200, body }];
    expect(await setup.rail.findCharge(TXID)).toMatchObject({
      value: { status: 'paid', payments: [{ ...PAYMENT, payerNote: 'Mensalidade (-5 %)' }] },
    });
    expect(setup.rail.parseCallback(body)).toEqual([{ about: 'payment', endToEndId: END_TO_END_ID, txid: TXID }]);
  });

  test('is not known beyond what can be read where it lists a payment that can’t be read', async () => {
    const pix = [{ ...PIX, endToEndId: `E${'1'.repeat(31)}`, horario: 'ontem' }, PIX];
    setup.psp.answers = [{ status: 200, body: { ...COB, status: 'CONCLUIDA', pix } }];
    expect(await setup.rail.findCharge(TXID)).toMatchObject({ value: { status: null, payments: [PAYMENT] } });
  });

  test('is nothing when the PSP says so, and unknown when something else has no such page', async () => {
    expect(await setup.rail.findCharge(TXID)).toEqual({ outcome: 'done', value: null });
    setup.psp.answers = [{ status: 404, body: '<html>404</html>' }];
    expect(await setup.rail.findCharge(TXID)).toMatchObject({ outcome: 'unknown' });
  });

  test('is unknown when the PSP answers about another one', async () => {
    setup.psp.answers = [{ status: 200, body: { ...COB, txid: 'f'.repeat(32) } }];
    expect(await setup.rail.findCharge(TXID)).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/another txid/),
    });
  });
});

describe('a payment', () => {
  test('is found by its id, with a txid or without', async () => {
    const { txid: _, ...withoutTxid } = PIX;
    setup.psp.answers = [
      { status: 200, body: { ...PIX, devolucoes: DEVOLUCAO } },
      { status: 200, body: withoutTxid },
    ];
    expect(await setup.rail.findPayment(END_TO_END_ID)).toEqual({
      outcome: 'done',
      value: { ...PAYMENT, refunds: [LISTED_REFUND] },
    });
    expect(await setup.rail.findPayment(END_TO_END_ID)).toEqual({ outcome: 'done', value: { ...PAYMENT, txid: null } });
    expect(setup.psp.calls[0]?.call).toBe(`GET /psp/api/pix/${END_TO_END_ID}`);
    expect(setup.calls[0]).toMatchObject({ operation: 'findPayment', outcome: 'done' });
  });

  test('is nothing when the PSP says so, and unknown when it answers about another one', async () => {
    expect(await setup.rail.findPayment(END_TO_END_ID)).toEqual({ outcome: 'done', value: null });
    setup.psp.answers = [{ status: 200, body: { ...PIX, endToEndId: `E${'1'.repeat(31)}` } }];
    expect(await setup.rail.findPayment(END_TO_END_ID)).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/another payment/),
    });
  });
});

describe('the list of payments', () => {
  const QUERY = {
    from: new Date('2020-09-09T00:00:00.000Z'),
    to: new Date('2020-09-10T00:00:00.000Z'),
    page: 1,
    refundedOnly: true,
  };
  const page = (pix: unknown, quantidadeDePaginas = 3) => ({
    status: 200,
    body: { parametros: { paginacao: { paginaAtual: 1, itensPorPagina: 100, quantidadeDePaginas } }, pix },
  });

  test('is asked for by period and page, and says whether there is more', async () => {
    setup.psp.answers = [page([PIX]), page([], 2)];
    expect(await setup.rail.listPayments(QUERY)).toEqual({
      outcome: 'done',
      value: { payments: [PAYMENT], unreadable: 0, hasMore: true },
    });
    expect(decodeURIComponent(setup.psp.calls[0]?.call ?? '')).toBe(
      'GET /psp/api/pix?inicio=2020-09-09T00:00:00.000Z&fim=2020-09-10T00:00:00.000Z&paginacao.paginaAtual=1' +
        '&paginacao.itensPorPagina=100&devolucaoPresente=true',
    );
    expect(await setup.rail.listPayments({ ...QUERY, refundedOnly: false })).toMatchObject({
      value: { payments: [], hasMore: false },
    });
    expect(setup.psp.calls[1]?.call).not.toContain('devolucaoPresente');
  });

  test('ends with the last page that was asked for, whichever the answer says that it is', async () => {
    setup.psp.answers = [page([PIX]), page([PIX])];
    expect(await setup.rail.listPayments({ ...QUERY, page: 2 })).toMatchObject({ value: { hasMore: false } });
    expect(await setup.rail.listPayments({ ...QUERY, page: 0 })).toMatchObject({ value: { hasMore: true } });
  });

  test('is asked for in whole seconds where the PSP takes no others, and is empty where it has nothing to say', async () => {
    setup.psp.answers = [{ status: 204 }];
    const to = new Date('2020-09-10T00:00:00.999Z');
    expect(await setup.connect({ dialect: { listsInSeconds: true } }).listPayments({ ...QUERY, to })).toEqual({
      outcome: 'done',
      value: { payments: [], unreadable: 0, hasMore: false },
    });
    expect(decodeURIComponent(setup.psp.calls[0]?.call ?? '')).toContain(
      '?inicio=2020-09-09T00:00:00Z&fim=2020-09-10T00:00:00Z&',
    );
  });

  test('of more days than the PSP takes at once is asked for in parts, each to its end, without a gap', async () => {
    const rail = setup.connect({ dialect: { listDaysMax: 5 } });
    const query = { ...QUERY, to: new Date('2020-09-17T06:00:00.000Z') };
    const periods = () =>
      setup.psp.calls.splice(0).map(({ call }) => {
        const asked = new URL(call.replace('GET ', ''), 'http://psp').searchParams;
        return [asked.get('inicio'), asked.get('fim'), asked.get('paginacao.paginaAtual')].join(' ');
      });
    setup.psp.answers = [page([PIX, 7], 2), page([PIX], 2), page([PIX], 1), page([], 0)];
    expect(await rail.listPayments({ ...query, page: 0 })).toEqual({
      outcome: 'done',
      value: { payments: [PAYMENT, PAYMENT], unreadable: 1, hasMore: true },
    });
    expect(await rail.listPayments({ ...query, page: 1 })).toMatchObject({ value: { hasMore: true } });
    expect(await rail.listPayments({ ...query, page: 2 })).toEqual({
      outcome: 'done',
      value: { payments: [], unreadable: 0, hasMore: false },
    });
    expect(periods()).toEqual([
      '2020-09-09T00:00:00.000Z 2020-09-13T00:00:00.000Z 0',
      '2020-09-09T00:00:00.000Z 2020-09-13T00:00:00.000Z 1',
      '2020-09-13T00:00:00.000Z 2020-09-17T00:00:00.000Z 0',
      '2020-09-17T00:00:00.000Z 2020-09-17T06:00:00.000Z 0',
    ]);
    setup.psp.answers = [page([PIX], 1)];
    expect(await rail.listPayments({ ...query, page: 1, refundedOnly: false })).toMatchObject({
      value: { hasMore: true },
    });
    expect(periods()).toEqual(['2020-09-10T00:00:00.000Z 2020-09-11T00:00:00.000Z 0']);
  });

  test('of no more days than the PSP takes at once is asked for by its pages, and a part that fails is no list', async () => {
    const rail = setup.connect({ dialect: { listDaysMax: 5 } });
    setup.psp.answers = [page([PIX], 3)];
    expect(await rail.listPayments(QUERY)).toMatchObject({ value: { payments: [PAYMENT], hasMore: true } });
    expect(setup.psp.calls.splice(0)[0]?.call).toContain('paginaAtual=1&');
    setup.psp.answers = [page([PIX], 2), { status: 400, body: PROBLEM }];
    const query = { ...QUERY, to: new Date('2020-09-17T06:00:00.000Z'), page: 0 };
    expect(await rail.listPayments(query)).toMatchObject({ outcome: 'rejected' });
  });

  test('loses no entry to one that can’t be read, and no payment to a refund that can’t, which counts if it went back', async () => {
    const med = { ...DEVOLUCAO, natureza: 'MED_FRAUDE', status: 'DEVOLVIDO', rtrId: 'none' };
    setup.psp.answers = [
      page([
        { ...PIX, valor: 'R$ 1' },
        { ...PIX, txid: '!', devolucoes: [7, { ...DEVOLUCAO, valor: '' }, med] },
        { ...PIX, devolucoes: [{ ...DEVOLUCAO, valor: 10, status: 'DEVOLVIDO' }] },
        { ...PIX, devolucoes: { ...med, id: 'a-b' } },
      ]),
    ];
    const refund = { ...LISTED_REFUND, returnId: null, completed: true, kind: 'med_return' };
    expect(await setup.rail.listPayments(QUERY)).toMatchObject({
      value: { unreadable: 3, payments: [{ ...PAYMENT, txid: null, refunds: [refund] }, PAYMENT, PAYMENT] },
    });
  });

  test('is read where the one payment of a page is the object itself', async () => {
    setup.psp.answers = [page(PIX)];
    expect(await setup.rail.listPayments(QUERY)).toMatchObject({ value: { payments: [PAYMENT], unreadable: 0 } });
  });

  test('takes a full page of payments with long notes that went back in parts', async () => {
    const note = 'é'.repeat(140);
    const parts = [1, 2].map((part) => ({ ...DEVOLUCAO, id: `${part}`.repeat(32), descricao: note, motivo: note }));
    const returned = { ...PIX, chave: PIX_KEY, infoPagador: note, devolucoes: parts };
    setup.psp.answers = [page(Array.from({ length: 100 }, () => returned))];
    const listed = await setup.rail.listPayments(QUERY);
    expect(listed.outcome === 'done' ? listed.value.payments.length : listed).toBe(100);
  });

  test('has each refund at the time of its settlement, else of its request, else of its payment', async () => {
    const settled = { solicitacao: '2020-09-10T02:59:58.000Z', liquidacao: '2020-09-10T03:00:01.000Z' };
    const horarios = [settled, { solicitacao: '2020-09-10T02:59:58.000Z' }, { solicitacao: 'ontem' }, undefined];
    const devolucoes = horarios.map((horario, index) => ({ ...DEVOLUCAO, id: `r${index}`, horario }));
    setup.psp.answers = [page([{ ...PIX, devolucoes }])];
    const listed = await setup.rail.listPayments(QUERY);
    if (listed.outcome !== 'done') throw new Error(listed.reason);
    expect(listed.value.payments[0]?.refunds.map(({ at }) => at.toISOString())).toEqual([
      '2020-09-10T03:00:01.000Z',
      '2020-09-10T02:59:58.000Z',
      PIX.horario,
      PIX.horario,
    ]);
  });

  test.each([
    ['a rejection', { status: 400, body: PROBLEM }, 'rejected'],
    ['silence', UNAVAILABLE, 'unknown'],
    ['no list', { status: 200, body: { pix: [] } }, 'unknown'],
  ])('is %s where the PSP says so', async (_, answer, outcome) => {
    setup.psp.answers = [answer, answer, answer];
    expect(await setup.rail.listPayments(QUERY)).toMatchObject({ outcome });
  });
});

describe('the webhook', () => {
  const url = 'https://shop.example/pix-callback';
  const registered: Answer = { status: 200, body: { webhookUrl: url, chave: PIX_KEY } };

  test('is registered only when the PSP has another one or none', async () => {
    setup.psp.answers = [registered];
    expect(await setup.rail.registerWebhook(url)).toEqual({ outcome: 'done', value: null });
    for (const current of [NOT_FOUND, { status: 200, body: { webhookUrl: `${url}/` } }]) {
      setup.psp.answers = [current, { status: 200 }];
      expect(await setup.rail.registerWebhook(url)).toEqual({ outcome: 'done', value: null });
    }
    const get = `GET /psp/api/webhook/${PIX_KEY}`;
    const put = `PUT /psp/api/webhook/${PIX_KEY}`;
    expect(setup.psp.calls.map(({ call }) => call)).toEqual([get, get, put, get, put]);
    expect(setup.psp.calls[2]?.body).toBe(`{"webhookUrl":"${url}"}`);
  });

  test('that the PSP will not have is rejected, and one it does not answer about is unknown', async () => {
    setup.psp.answers = [NOT_FOUND, { status: 400, body: { title: 'Webhook inválido.' } }];
    expect(await setup.rail.registerWebhook(url)).toEqual({
      outcome: 'rejected',
      reason: 'HTTP 400 Webhook inválido.',
    });
    setup.psp.answers = [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE];
    expect(await setup.rail.registerWebhook(url)).toMatchObject({ outcome: 'unknown' });
  });
});
