import { describe, expect, test } from 'vitest';
import { CHARGE, COB, PIX, PROBLEM, TXID, UNAVAILABLE } from './testing/examples.ts';
import { setUpRailUnderTest } from './testing/rail-under-test.ts';
import { type Answer, NOT_FOUND } from './testing/scripted-psp.ts';

const setup = setUpRailUnderTest();

const REMOVED = { ...COB, revisao: 1, status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
const PAID = { ...COB, status: 'CONCLUIDA', pix: [{ ...PIX, valor: '37.00' }] };
const CANCELLED = { outcome: 'done', value: { ...CHARGE, status: 'cancelled' } };
const rejection: Answer = { status: 400, body: PROBLEM };
const ok = (body: object): Answer => ({ status: 200, body });
const methods = () => setup.psp.calls.map(({ call }) => call.split(' ')[0]).join(' ');
const cancel = () => setup.rail.cancelCharge(TXID);

describe('cancelling a charge', () => {
  test('is asked for in the words of the standard, with nothing else beside the status', async () => {
    setup.psp.answers = [ok(REMOVED)];
    expect(await cancel()).toEqual(CANCELLED);
    expect(setup.psp.calls).toHaveLength(1);
    expect(setup.psp.calls[0]).toMatchObject({
      call: `PATCH /psp/api/cob/${TXID}`,
      body: '{"status":"REMOVIDA_PELO_USUARIO_RECEBEDOR"}',
      headers: { 'content-type': 'application/json' },
    });
    expect(setup.calls).toMatchObject([{ operation: 'cancelCharge', outcome: 'done' }]);
  });

  test.each<[string, Answer]>([
    ['rejected', rejection],
    ['rejected by Efí', { status: 400, body: { nome: 'status_cobranca_invalido', mensagem: 'não está mais ATIVA' } }],
    ['answered without being done', ok(COB)],
    ['answered about another charge', ok({ ...REMOVED, txid: 'f'.repeat(32) })],
  ])('says what the charge is when the request is %s', async (_, answer) => {
    setup.psp.answers = [answer, ok(PAID)];
    expect(await cancel()).toMatchObject({ outcome: 'done', value: { status: 'paid', payments: [{ txid: TXID }] } });
    setup.psp.answers = [answer, ok(REMOVED)];
    expect(await cancel()).toEqual(CANCELLED);
    expect(methods()).toBe('PATCH GET PATCH GET');
  });

  test.each<[string, Answer]>([
    ['the standard', NOT_FOUND],
    ['Efí', { status: 400, body: { nome: 'cobranca_nao_encontrada', mensagem: 'Nenhuma cobrança encontrada' } }],
  ])('is null when the PSP knows no such charge, in the words of %s', async (_, missing) => {
    setup.psp.answers = [missing, missing];
    expect(await cancel()).toEqual({ outcome: 'done', value: null });
  });

  test('is done after a lost answer, if the charge says so', async () => {
    setup.psp.answers = ['cut', 'cut', 'cut', ok(REMOVED)];
    expect(await cancel()).toEqual(CANCELLED);
    expect(methods()).toBe('PATCH PATCH PATCH GET');
  });
});

describe('a charge that is not cancelled', () => {
  test('is unknown when it is in a state that the standard does not have', async () => {
    for (const answers of [[ok({ ...COB, status: 'NOVA' })], [rejection, ok({ ...COB, status: 'NOVA' })]]) {
      setup.psp.answers = [...answers, ok({ ...COB, status: 'NOVA' })];
      expect(await cancel()).toMatchObject({ outcome: 'unknown', reason: expect.stringMatching(/status/) });
    }
  });

  test('is rejected when the PSP rejects and it is still active', async () => {
    setup.psp.answers = [rejection, ok(COB)];
    expect(await cancel()).toMatchObject({ outcome: 'rejected', reason: expect.stringMatching(/CobOperacaoInvalida/) });
  });

  test.each<[string, Answer[]]>([
    ['the answer is lost and it is still active', [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, ok(COB)]],
    ['the PSP says done and it is still active', [ok(COB), ok(COB)]],
    ['it is rejected and its status can’t be read', [rejection, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]],
    ['the charge that is shown is another one', [rejection, ok({ ...REMOVED, txid: 'f'.repeat(32) })]],
  ])('is unknown when %s', async (_, answers) => {
    setup.psp.answers = answers;
    expect(await cancel()).toMatchObject({ outcome: 'unknown' });
    expect(setup.psp.answers).toEqual([]);
  });
});

test('what Banco do Brasil does not know is null, though it says so in a body of its own', async () => {
  // As Projeto ACBr's client has it (github.com/frones/ACBr, ACBrPIXPSPBancoDoBrasil.pas).
  const mensagem = 'Não há informações para os dados informados.';
  const erros = [{ codigo: '4769515', versao: '1', mensagem, ocorrencia: 'CHOM00000062715498140101' }];
  setup.psp.answers = [
    { status: 404, body: { erros } },
    { status: 400, body: { erros } },
    { status: 404, body: { erros: [{ mensagem }] } },
  ];
  expect(await setup.rail.findCharge(TXID)).toEqual({ outcome: 'done', value: null });
  const reason = `HTTP 400 (4769515: ${mensagem})`;
  expect(await setup.rail.findCharge(TXID)).toEqual({ outcome: 'rejected', reason });
  expect(await setup.rail.findCharge(TXID)).toMatchObject({ outcome: 'unknown' });
});

test('what Efí does not know is null, though it says 400', async () => {
  const efi = (nome: string): Answer => ({ status: 400, body: { nome, mensagem: 'Nenhum encontrado' } });
  setup.psp.answers = [efi('cobranca_nao_encontrada'), efi('pix_nao_encontrado'), efi('valor_invalido')];
  expect(await setup.rail.findCharge(TXID)).toEqual({ outcome: 'done', value: null });
  expect(await setup.rail.findPayment(PIX.endToEndId)).toEqual({ outcome: 'done', value: null });
  expect(await setup.rail.findCharge(TXID)).toEqual({
    outcome: 'rejected',
    reason: 'HTTP 400 valor_invalido: Nenhum encontrado',
  });
});
