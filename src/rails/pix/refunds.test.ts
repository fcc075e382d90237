import { describe, expect, test } from 'vitest';
import { END_TO_END_ID, UNAVAILABLE } from './testing/examples.ts';
import { setUpRailUnderTest } from './testing/rail-under-test.ts';
import { type Answer, NOT_FOUND } from './testing/scripted-psp.ts';

const setup = setUpRailUnderTest();

const ID = '0190d5c2a1b37c4d8e9f00112233aabb';
const REQUEST = { endToEndId: END_TO_END_ID, refundId: ID, amountCentavos: 789n, description: 'Pedido cancelado' };
// The standard's own values (API Pix 2.9.0, Devolucao).
const DEVOLUCAO = {
  id: ID,
  rtrId: 'D12345678202009091000abcde123456',
  valor: '7.89',
  natureza: 'ORIGINAL',
  horario: { solicitacao: '2020-09-11T15:25:59.411Z' },
  status: 'EM_PROCESSAMENTO',
};
const REFUND = {
  refundId: ID,
  status: 'processing',
  amountCentavos: 789n,
  returnId: DEVOLUCAO.rtrId,
  reason: null,
};
const OURS = { outcome: 'done', value: REFUND };
const created: Answer = { status: 201, body: DEVOLUCAO };
const found = (changes = {}): Answer => ({ status: 200, body: { ...DEVOLUCAO, ...changes } });
const rejection: Answer = {
  status: 400,
  body: { type: 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida', title: 'Devolução inválida.', status: 400 },
};
const efiRejection: Answer = {
  status: 409,
  body: { nome: 'devolucao_id_duplicado', mensagem: 'O id já foi utilizado' },
};
const path = `/psp/api/pix/${END_TO_END_ID}/devolucao/${ID}`;
const methods = () => setup.psp.calls.map(({ call }) => call.split(' ')[0]).join(' ');

describe('a refund', () => {
  test('is asked for in the words of the standard', async () => {
    setup.psp.answers = [created];
    expect(await setup.rail.refundPayment(REQUEST)).toEqual(OURS);
    expect(setup.psp.calls).toHaveLength(1);
    expect(setup.psp.calls[0]).toMatchObject({
      call: `PUT ${path}`,
      body: '{"valor":"7.89","natureza":"ORIGINAL","descricao":"Pedido cancelado"}',
    });
    expect(setup.calls).toMatchObject([{ operation: 'refundPayment', outcome: 'done' }]);
  });

  test('needs no description, and has one cut to the length of the standard', async () => {
    setup.psp.answers = [created, created];
    await setup.rail.refundPayment({ ...REQUEST, description: null });
    await setup.rail.refundPayment({ ...REQUEST, description: `${'a'.repeat(139)}😀b` });
    expect(setup.psp.calls.map(({ body }) => JSON.parse(body).descricao)).toEqual([undefined, `${'a'.repeat(139)}😀`]);
  });

  test('is requested again under its id when the response is missing', async () => {
    setup.psp.answers = ['cut', UNAVAILABLE, created];
    expect(await setup.rail.refundPayment(REQUEST)).toEqual(OURS);
    expect(new Set(setup.psp.calls.map(({ call, body }) => call + body)).size).toBe(1);
  });

  test('cannot be asked for at another route by way of its ids', async () => {
    await setup.rail.findRefund('../E', '../../cob?x');
    expect(setup.psp.calls[0]?.call).toBe('GET /psp/api/pix/..%2FE/devolucao/..%2F..%2Fcob%3Fx');
  });
});

describe('a refund that the PSP does not confirm', () => {
  test.each<[string, Answer[]]>([
    ['rejected, as the standard has it', [rejection]],
    ['rejected, as Efí has it', [efiRejection]],
    ['lost', ['cut', 'cut', 'cut']],
    ['answered about another refund', [found({ id: 'other' })]],
    ['answered in a way one cannot read', [{ status: 201, body: '<html>' }]],
    ['rejected after an attempt without an answer', ['cut', rejection]],
  ])('is looked up when it is %s', async (_, answers) => {
    setup.psp.answers = [...answers, found({ status: 'DEVOLVIDO' })];
    expect(await setup.rail.refundPayment(REQUEST)).toEqual({
      outcome: 'done',
      value: { ...REFUND, status: 'completed' },
    });

    setup.psp.answers = [...answers, found({ valor: '7.90' })];
    expect(await setup.rail.refundPayment(REQUEST)).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringMatching(/another amount/),
    });

    setup.psp.answers = [...answers, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE];
    expect(await setup.rail.refundPayment(REQUEST)).toMatchObject({ outcome: 'unknown' });
    expect(methods()).toBe(
      ['PUT '.repeat(answers.length), 'GET ', 'PUT '.repeat(answers.length), 'GET '].join('') +
        `${'PUT '.repeat(answers.length)}GET GET GET`,
    );
  });

  test.each<[string, string, Answer[]]>([
    ['rejected', 'rejected', [rejection, NOT_FOUND]],
    ['rejected by Efí', 'rejected', [efiRejection, { status: 400, body: { nome: 'devolucao_nao_encontrada' } }]],
    ['lost', 'unknown', ['cut', 'cut', 'cut', NOT_FOUND]],
    ['rejected after an attempt that may still be under way', 'unknown', ['cut', rejection, NOT_FOUND]],
    ['answered with another amount', 'unknown', [found({ valor: '7.90' }), NOT_FOUND]],
  ])('that was %s and does not exist is %s', async (_, outcome, answers) => {
    setup.psp.answers = answers;
    expect(await setup.rail.refundPayment(REQUEST)).toMatchObject({ outcome });
    expect(setup.psp.answers).toEqual([]);
  });

  test('that the PSP has made of another amount is rejected', async () => {
    setup.psp.answers = [found({ valor: '7.90' }), found({ valor: '7.90' })];
    expect(await setup.rail.refundPayment(REQUEST)).toMatchObject({ outcome: 'rejected' });
  });
});

describe('the outcome of a refund', () => {
  test.each([
    ['EM_PROCESSAMENTO', 'processing'],
    ['DEVOLVIDO', 'completed'],
    ['NAO_REALIZADO', 'failed'],
  ])('%s is %s', async (status, ours) => {
    setup.psp.answers = [found({ status })];
    expect(await setup.rail.findRefund(END_TO_END_ID, ID)).toEqual({
      outcome: 'done',
      value: { ...REFUND, status: ours },
    });
    expect(setup.psp.calls[0]?.call).toBe(`GET ${path}`);
  });

  test('comes with why it failed, and needs no id of its return', async () => {
    const motivo = 'Saldo insuficiente para realizar a devolução.';
    setup.psp.answers = [found({ status: 'NAO_REALIZADO', motivo, rtrId: undefined })];
    expect(await setup.rail.findRefund(END_TO_END_ID, ID)).toEqual({
      outcome: 'done',
      value: { ...REFUND, status: 'failed', returnId: null, reason: motivo },
    });
  });

  test('is nothing when the PSP says so, and unknown when it says something else', async () => {
    expect(await setup.rail.findRefund(END_TO_END_ID, ID)).toEqual({ outcome: 'done', value: null });
    for (const answer of [found({ id: 'other' }), found({ status: 'NOVO' }), { status: 404, body: '<html>' }]) {
      setup.psp.answers = [answer];
      expect(await setup.rail.findRefund(END_TO_END_ID, ID)).toMatchObject({ outcome: 'unknown' });
    }
  });
});
