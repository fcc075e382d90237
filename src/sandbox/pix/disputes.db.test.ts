import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  BAKERY,
  createSandboxSetup,
  type RunningSandbox,
  type SandboxSetup,
  SHOP,
  SOON,
  statusOrSilence,
} from '../testing/running-sandbox.ts';
import { contestPayment } from './contest.ts';

let setup: SandboxSetup;
let psp: RunningSandbox;
let ids = 0;
beforeEach(async () => {
  setup = await createSandboxSetup();
  psp = await setup.startSandbox();
});
afterEach(() => setup.close());

type Infracao = { idInfracao: string; endToEndId: string; status: string; origem: { documento: string } };

const MINUTE = 60;
const DAY = 86_400;
/** Asks with a token of its own, because a test lasts days. */
const ask = async (path: string, token?: string) =>
  psp.ask('GET', path, undefined, { token: token ?? (await psp.token()) });
/** Moves the clock, and takes the steps that are due by then. */
async function pass(seconds: number) {
  setup.advance(seconds);
  await vi.waitFor(async () => {
    const { rowCount } = await setup.pool.query('SELECT 1 FROM sandbox.due_steps WHERE due_at <= $1', [setup.now()]);
    expect(rowCount).toBe(0);
  }, SOON);
}
const list = async (query = '', token?: string) => {
  const inicio = new Date(setup.now().getTime() - 30 * DAY * 1_000).toISOString();
  const answer = await ask(`/v2/gn/infracoes?inicio=${inicio}&fim=${setup.now().toISOString()}${query}`, token);
  return answer.body as unknown as { parametros: { paginacao: object }; infracoes: Infracao[] };
};
const cases = async () => (await list()).infracoes;
const defend = async (id: string, analise: string, justificativa = 'Entregue.') => {
  const token = await psp.token();
  return psp.ask('POST', `/v2/gn/infracoes/${id}/defesa`, { analise, justificativa }, { token });
};

async function paid(original: string, devedor?: object): Promise<string> {
  const txid = `txid${String(++ids).padStart(28, '0')}`;
  const cob = { calendario: { expiracao: 3600 }, valor: { original }, chave: SHOP.pixKey, devedor };
  expect((await psp.ask('PUT', `/cob/${txid}`, cob)).status).toBe(201);
  return String((await psp.control('POST', '/pay', { txid })).body.endToEndId);
}
const returned = async (endToEndId: string) => {
  const { body } = await ask(`/pix/${endToEndId}`);
  const { devolucoes = [] } = body as unknown as { devolucoes?: { valor: string; natureza: string; status: string }[] };
  return devolucoes.map(({ valor, natureza, status }) => `${valor} ${natureza} ${status}`);
};

test('a payment of ,51 is contested a minute later, in the words of Efí', async () => {
  const devedor = { cpf: '11144477735', nome: 'Maria' };
  const endToEndId = await paid('100.51', devedor);
  const paidAt = setup.now().toISOString();
  await pass(MINUTE - 1);
  expect(await cases()).toEqual([]);
  await pass(1);
  const { parametros, infracoes } = await list();
  expect(parametros.paginacao).toEqual({
    ...{ paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1, quantidadeTotalDeItens: 1 },
  });
  const at = setup.now().toISOString();
  expect(infracoes).toEqual([
    {
      idInfracao: expect.stringMatching(/^[0-9a-f-]{36}$/),
      endToEndId,
      protocolo: '1',
      dataTransacao: paidAt,
      valor: '100.51',
      chave: SHOP.pixKey,
      status: 'ABERTA',
      razao: 'Solicitacao de devolução',
      tipoSituacao: 'golpe',
      comentario: expect.any(String),
      identificadorTicket: [1],
      dadosAnalise: {
        abertura: at,
        prazoFinalizacao: new Date(setup.now().getTime() + 5 * DAY * 1_000).toISOString(),
      },
      origem: { nomeParticipante: 'BANCO XYZ', conta: '10001', nome: 'Maria', documento: '11144477735' },
      destino: { nomeParticipante: 'Efí S/A', conta: '10002', nome: 'Recebedor', documento: SHOP.document },
      criadoEm: at,
      atualizadoEm: at,
    },
  ]);
});

test.each([
  ['rejeitado', 'REJEITADA', []],
  ['aceito', 'ACEITA', ['100.51 MED_FRAUDE DEVOLVIDO']],
])('a case of ,51 that is answered with %s ends as %s', async (analise, status, back) => {
  const endToEndId = await paid('100.51');
  await pass(MINUTE);
  const [open] = await cases();
  expect(await defend(String(open?.idInfracao), analise)).toMatchObject({
    status: 201,
    body: 'Defesa de infração MED criada',
  });
  expect(await cases()).toMatchObject([{ status: 'EM_DEFESA', defesa: 'Entregue.' }]);
  await pass(MINUTE);
  expect(await cases()).toMatchObject([{ status }]);
  await pass(MINUTE);
  expect(await returned(endToEndId)).toEqual(back);
  await pass(6 * DAY);
  expect(await cases()).toMatchObject([{ status }]);
  expect(await returned(endToEndId)).toEqual(back);
});

test('a case of ,51 that nobody answers is lost at the end of its time', async () => {
  const endToEndId = await paid('100.51');
  await pass(MINUTE);
  await pass(5 * DAY);
  const [lost] = await cases();
  expect(lost).toMatchObject({ status: 'ACEITA' });
  expect((await defend(String(lost?.idInfracao), 'rejeitado')).status).toBe(422);
  await pass(MINUTE);
  expect(await returned(endToEndId)).toEqual(['100.51 MED_FRAUDE DEVOLVIDO']);
});

test.each([
  ['52', ['ABERTA', 'ACEITA', 'ACEITA'], ['10.52 MED_FRAUDE DEVOLVIDO']],
  ['53', ['ABERTA', 'ACEITA', 'ACEITA'], ['5.26 MED_FRAUDE DEVOLVIDO']],
  ['54', ['ABERTA', 'CANCELADA_EFI', 'CANCELADA_EFI'], []],
  ['55', [undefined, undefined, undefined], ['10.55 MED_FRAUDE DEVOLVIDO']],
])('a payment of ,%s comes to its end by itself, a minute a step', async (cents, statuses, back) => {
  const endToEndId = await paid(`10.${cents}`);
  const seen: (string | undefined)[] = [];
  for (const _ of statuses) {
    await pass(MINUTE);
    seen.push((await cases())[0]?.status);
  }
  expect(seen).toEqual(statuses);
  expect(await returned(endToEndId)).toEqual(back);
});

test('what is not left of a payment is neither contested nor returned', async () => {
  const gone = await paid('10.51');
  const rest = await paid('10.52');
  await psp.ask('PUT', `/pix/${gone}/devolucao/r1`, { valor: '10.51' });
  await psp.ask('PUT', `/pix/${rest}/devolucao/r1`, { valor: '10.00' });
  for (const _ of [1, 2, 3]) await pass(MINUTE);
  expect(await cases()).toMatchObject([{ endToEndId: rest, valor: '0.52' }]);
  expect((await returned(rest)).sort()).toEqual(['0.52 MED_FRAUDE DEVOLVIDO', '10.00 ORIGINAL DEVOLVIDO']);
});

test('a payment is not contested again before its case has ended', async () => {
  const endToEndId = await paid('10.51');
  const contestAgain = async () => {
    const db = await setup.pool.connect();
    await contestPayment(db, { endToEndId, outcome: 'contested' }, setup.now()).finally(() => db.release());
  };
  await pass(MINUTE);
  await contestAgain();
  await defend(String((await cases())[0]?.idInfracao), 'rejeitado');
  await contestAgain();
  expect(await cases()).toMatchObject([{ status: 'EM_DEFESA' }]);
  await pass(MINUTE);
  await contestAgain();
  expect((await cases()).map(({ status }) => status).sort()).toEqual(['ABERTA', 'REJEITADA']);
});

test('a case takes one answer, of its receiver, and the rejections are Efí’s', async () => {
  await paid('10.51');
  await pass(MINUTE);
  const id = String((await cases())[0]?.idInfracao);
  const rejections = [
    await defend('no-such-case', 'rejeitado'),
    await defend(id, 'talvez'),
    await defend(id, 'rejeitado', ' '),
  ];
  expect(rejections.map(({ status }) => status)).toEqual([404, 400, 400]);
  expect(rejections[1]?.body.violacoes).toMatchObject([{ propriedade: 'infracoes.body.analise' }]);
  const token = await psp.token(BAKERY);
  expect((await list('', token)).infracoes).toEqual([]);
  const foreign = await psp.ask(
    'POST',
    `/v2/gn/infracoes/${id}/defesa`,
    { analise: 'aceito', justificativa: 'x' },
    { token },
  );
  expect(foreign.status).toBe(404);
  const answers = await Promise.all([1, 2, 3].map(() => defend(id, 'rejeitado')));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

test.each([
  ['rejected', 422, 'ABERTA'],
  ['silent_done', 'silence', 'EM_DEFESA'],
  ['silent_lost', 'silence', 'ABERTA'],
])('pix.defence at %s: an answer gets %s, and the case is %s', async (value, expected, status) => {
  await paid('10.51');
  await pass(MINUTE);
  const id = String((await cases())[0]?.idInfracao);
  await psp.control('PUT', '/switches', { name: 'pix.defence', value });
  const body = { analise: 'rejeitado', justificativa: 'Entregue.' };
  const isSo = async () => expect(await cases()).toMatchObject([{ status }]);
  const ask = (signal?: AbortSignal) => psp.ask('POST', `/v2/gn/infracoes/${id}/defesa`, body, { signal });
  expect(expected === 'silence' ? await statusOrSilence(ask, isSo) : (await ask()).status).toBe(expected);
  await isSo();
});

test('the list has pages, and a wrong period is rejected', async () => {
  await paid('10.51');
  await paid('20.51');
  await pass(MINUTE);
  const second = await list('&paginacao.itensPorPagina=1&paginacao.paginaAtual=1');
  expect(second.infracoes).toMatchObject([{ status: 'ABERTA' }]);
  expect(second.parametros.paginacao).toMatchObject({ quantidadeDePaginas: 2, quantidadeTotalDeItens: 2 });
  expect(await ask('/v2/gn/infracoes?inicio=ontem&fim=hoje')).toMatchObject({ status: 400 });
  const backwards = 'inicio=2026-11-22T00:00:00Z&fim=2026-11-21T00:00:00Z';
  expect(await ask(`/v2/gn/infracoes?${backwards}`)).toMatchObject({
    status: 400,
    body: { type: expect.stringContaining('InfracoesConsultaInvalida') },
  });
});
