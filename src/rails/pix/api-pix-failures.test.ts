import { describe, expect, test, vi } from 'vitest';
import { BREAKER_FAILURES, BREAKER_PROBE_MS, NOT_SENT } from '../breaker.ts';
import { CHARGE, COB, CREATED, PIX, PROBLEM, REQUEST, TXID, UNAVAILABLE } from './testing/examples.ts';
import { setUpRailUnderTest } from './testing/rail-under-test.ts';
import { type Answer, NOT_FOUND } from './testing/scripted-psp.ts';

const setup = setUpRailUnderTest();

describe('an answer that cannot be trusted', () => {
  test.each<[string, Answer, RegExp]>([
    ['about another txid', { status: 201, body: { ...COB, txid: 'f'.repeat(32) } }, /another txid/],
    ['with another amount', { status: 201, body: { ...COB, valor: { original: '37.01' } } }, /another amount/],
    ['with a payment of another charge', { status: 201, body: { ...COB, pix: [{ ...PIX, txid: 'x' }] } }, /txid/],
    ['with an amount as a number', { status: 201, body: { ...COB, valor: { original: 37 } } }, /valor\.original/],
    ['with a status that is not in the standard', { status: 201, body: { ...COB, status: 'NOVA' } }, /status/],
    ['that is not JSON', { status: 201, body: '{"calendario":' }, /not an API Pix answer/],
    [
      'that is HTML',
      { status: 200, body: '<html>Bem-vindo</html>', headers: { 'content-type': 'text/html' } },
      /not an/,
    ],
    ['that is empty', { status: 201 }, /not an API Pix answer/],
    ['that is a list', { status: 201, body: [COB] }, /the body/],
    ['that is 4xx in HTML', { status: 403, body: '<html>Blocked</html>' }, /HTTP 403 without a problem body/],
    ['that is 4xx with JSON that is no problem', { status: 404, body: { message: 'no route' } }, /HTTP 404 without/],
  ])('%s is unknown', async (_, answer, reason) => {
    setup.psp.answers = [answer];
    const result = await setup.rail.createCharge(REQUEST);
    expect(result).toEqual({ outcome: 'unknown', reason: expect.stringMatching(reason) });
    expect(setup.psp.calls).toHaveLength(1);
  });

  test('that is larger than 1 MiB is unknown, announced or not', async () => {
    const body = JSON.stringify({ ...COB, more: 'x'.repeat(1024 * 1024) });
    setup.psp.answers = [
      { status: 201, body, headers: { 'content-length': String(Buffer.byteLength(body)) } },
      { status: 201, body, headers: { 'transfer-encoding': 'chunked' } },
    ];
    const unknown = { outcome: 'unknown', reason: expect.stringContaining('UND_ERR_RES_EXCEEDED_MAX_SIZE') };
    expect(await setup.rail.createCharge(REQUEST)).toEqual(unknown);
    expect(await setup.rail.createCharge(REQUEST)).toEqual(unknown);
    expect(setup.psp.calls).toHaveLength(2);
  });

  test('that is a redirect is unknown, and not followed', async () => {
    setup.psp.answers = [{ status: 307, headers: { location: `${setup.psp.baseUrl}elsewhere` } }];
    expect(await setup.rail.createCharge(REQUEST)).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/HTTP 307/),
    });
    expect(setup.psp.calls).toHaveLength(1);
  });
});

// ASVS 16.5.2
describe('what can pass by itself', () => {
  test.each<[string, Answer]>([
    ['5xx', UNAVAILABLE],
    ['429', { status: 429, body: { title: 'Too Many Requests' } }],
    ['a connection that breaks', 'cut'],
  ])('is tried again: %s twice, then done', async (_, failure) => {
    setup.psp.answers = [failure, failure, CREATED];
    expect(await setup.rail.createCharge(REQUEST)).toEqual({ outcome: 'done', value: CHARGE });
    expect(setup.psp.calls).toHaveLength(3);
    expect(new Set(setup.psp.calls.map(({ call, body }) => call + body)).size).toBe(1);
    expect(setup.calls).toEqual([
      {
        rail: 'psp',
        host: expect.any(String),
        operation: 'createCharge',
        outcome: 'done',
        durationMs: expect.any(Number),
      },
    ]);
  });

  test('is unknown after a third failure', async () => {
    setup.psp.answers = [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, CREATED];
    const reason = 'HTTP 503 Serviço Indisponível';
    expect(await setup.rail.createCharge(REQUEST)).toEqual({ outcome: 'unknown', reason });
    expect(setup.psp.calls).toHaveLength(3);
    expect(setup.calls).toMatchObject([{ operation: 'createCharge', outcome: 'unknown' }]);
  });

  test('is unknown when the PSP does not answer in time', async () => {
    setup.psp.answers = ['silence', 'silence', 'silence'];
    const result = await setup.connect({ callTimeoutMs: 300 }).createCharge(REQUEST);
    expect(result).toEqual({ outcome: 'unknown', reason: 'no answer in time' });
    expect(setup.psp.calls).toHaveLength(3);
  });

  test('is unknown when the PSP is not there', async () => {
    const gone = setup.connect();
    await setup.psp.close();
    expect(await gone.createCharge(REQUEST)).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  test('is tried again for a query as well', async () => {
    setup.psp.answers = [UNAVAILABLE, 'cut', { status: 200, body: COB }];
    expect(await setup.rail.findCharge(TXID)).toEqual({ outcome: 'done', value: CHARGE });
  });

  test('is not tried again when the time for all attempts is used up', async () => {
    const now = performance.now.bind(performance);
    setup.psp.answers = [UNAVAILABLE, CREATED];
    setup.psp.beforeAnswer = () => {
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 14_990);
    };
    expect(await setup.rail.createCharge(REQUEST)).toMatchObject({ outcome: 'unknown' });
    expect(setup.psp.calls).toHaveLength(1);
  });
});

describe('a PSP that has given no usable answer to ten calls in a row', () => {
  const away = async (rail = setup.rail) => {
    setup.psp.answers = Array(BREAKER_FAILURES * 3).fill(UNAVAILABLE);
    await Promise.all(Array.from({ length: BREAKER_FAILURES - 1 }, () => rail.findCharge(TXID)));
    await rail.createCharge(REQUEST);
    setup.psp.calls.length = 0;
  };
  const notSent = { outcome: 'unknown', reason: NOT_SENT };

  test('is sent one charge a second, and the others end at once, until it answers', async () => {
    await away();
    setup.psp.answers = [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, CREATED, CREATED];
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    expect(await setup.rail.createCharge(REQUEST)).toEqual({
      outcome: 'unknown',
      reason: expect.stringMatching(/503/),
    });
    expect(await setup.rail.createCharge(REQUEST)).toEqual(notSent);
    expect(setup.psp.calls).toHaveLength(3);
    vi.spyOn(performance, 'now').mockImplementation(() => now + BREAKER_PROBE_MS);
    expect(await setup.rail.createCharge(REQUEST)).toMatchObject({ outcome: 'done' });
    expect(await setup.rail.createCharge(REQUEST)).toMatchObject({ outcome: 'done' });
  });

  test('is asked about what is there all the same, and its first answer, a rejection too, ends it', async () => {
    await away();
    setup.psp.answers = [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE];
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    await setup.rail.createCharge(REQUEST);
    setup.psp.answers = [NOT_FOUND, CREATED];
    expect(await setup.rail.createCharge(REQUEST)).toEqual(notSent);
    expect(await setup.rail.findCharge(TXID)).toEqual({ outcome: 'done', value: null });
    expect(await setup.rail.createCharge(REQUEST)).toMatchObject({ outcome: 'done' });
  });

  test('is another one than the sandbox, which fails for chosen amounts', async () => {
    const sandbox = setup.connect({ isSandbox: true });
    await away(sandbox);
    setup.psp.answers = [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, CREATED];
    await sandbox.createCharge(REQUEST);
    expect(await sandbox.createCharge(REQUEST)).toMatchObject({ outcome: 'done' });
  });
});

describe('a rejection', () => {
  test('says why, in one line', async () => {
    setup.psp.answers = [{ status: 400, body: PROBLEM }];
    expect(await setup.rail.createCharge(REQUEST)).toEqual({
      outcome: 'rejected',
      reason:
        'HTTP 400 CobOperacaoInvalida: Cobrança inválida. A requisição não respeita o _schema_. ' +
        '(cob.valor.original: O campo cob.valor.original não respeita o _schema_.)',
    });
    expect(setup.calls).toMatchObject([{ operation: 'createCharge', outcome: 'rejected' }]);
  });

  test("never repeats the payer's data, wherever and however the PSP quotes it", async () => {
    const payer = { name: 'Empresa (A+B)', document: '12345678000195', documentType: 'cnpj' as const };
    const detail = 'O documento 12.345.678/0001-95 de EMPRESA (A+B) é inválido.';
    const violacoes = [{ razao: 'inválido: 12345678000195', propriedade: 'cob.devedor', valor: '12345678000195' }];
    const quoting = { ...PROBLEM, detail, violacoes };
    const cutAtTheDocument = { ...PROBLEM, title: `${'x'.repeat(470)} 12345678000195` };
    for (const body of [quoting, cutAtTheDocument]) {
      for (const answers of [[{ status: 400, body }], Array(3).fill({ status: 500, body })]) {
        setup.psp.answers = answers;
        const result = JSON.stringify(await setup.rail.createCharge({ ...REQUEST, payer }));
        expect(result).toContain('***');
        expect(result).not.toMatch(/123|Empresa/i);
      }
    }
  });

  test('is recognised whatever the optional parts of the problem look like, and its text is never long', async () => {
    setup.psp.answers = [
      { status: 403, body: { title: 'Acesso Negado', detail: null, violacoes: 'x' } },
      NOT_FOUND,
      { status: 422, body: { detail: 'x'.repeat(5000) } },
    ];
    expect(await setup.rail.createCharge(REQUEST)).toEqual({ outcome: 'rejected', reason: 'HTTP 403 Acesso Negado' });
    const long = await setup.rail.createCharge(REQUEST);
    expect(long.outcome === 'rejected' && long.reason.length).toBeLessThan(600);
  });

  test('of a txid in use is no rejection of a charge that is there', async () => {
    const inUse: Answer = { status: 409, body: { title: 'txid em uso' } };
    setup.psp.answers = ['cut', inUse, { status: 200, body: COB }];
    expect(await setup.rail.createCharge(REQUEST)).toEqual({ outcome: 'done', value: CHARGE });
    expect(setup.psp.calls.map(({ call }) => call.split(' ')[0])).toEqual(['PUT', 'PUT', 'GET']);

    setup.psp.answers = [inUse, { status: 200, body: { ...COB, status: 'CONCLUIDA', pix: [PIX] } }];
    expect(await setup.rail.createCharge(REQUEST)).toMatchObject({ outcome: 'done', value: { status: 'paid' } });

    setup.psp.answers = [inUse, { status: 200, body: { ...COB, valor: { original: '99.00' } } }];
    expect(await setup.rail.createCharge(REQUEST)).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/another amount/),
    });
  });

  test('after an attempt without an answer is final only when the PSP knows no such charge', async () => {
    const rejection: Answer = { status: 400, body: PROBLEM };
    setup.psp.answers = ['cut', rejection, NOT_FOUND];
    expect(await setup.rail.createCharge(REQUEST)).toMatchObject({ outcome: 'rejected' });

    setup.psp.answers = ['cut', rejection, { status: 403, body: { title: 'Acesso Negado' } }];
    expect(await setup.rail.createCharge(REQUEST)).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/CobOperacaoInvalida/),
    });
  });
});
