import { beforeEach, describe, expect, test } from 'vitest';
import type { PixDisputeRail } from '../ports.ts';
import { setUpRailUnderTest } from './testing/rail-under-test.ts';
import type { Answer } from './testing/scripted-psp.ts';

const setup = setUpRailUnderTest();

const ID = '8ad75c93-6150-422c-929e-822f361c7a6b';
const E2E = 'E09089356202312181249APId91a6304';
const AT = '2023-12-22T16:01:35Z';
// Efí's own example (dev.efipay.com.br, "Listar infrações MED da conta"), without its comments.
const INFRACAO = {
  idInfracao: ID,
  endToEndId: E2E,
  protocolo: '1313',
  dataTransacao: AT,
  valor: '100',
  chave: 'chavepix@email.com',
  status: 'ABERTA',
  razao: 'Solicitacao de devolução',
  tipoSituacao: 'golpe',
  tipoFraude: 'aplicativo fraudulento',
  comentario: 'Transação feita através de Qrcode falso em boleto',
  defesa: 'Comentario de defesa',
  justificativaAnalista: 'Não foi identificado a fraude',
  identificadorTicket: [94, 95],
  dadosAnalise: { abertura: AT, prazoFinalizacao: '2023-12-29T16:01:35Z', recebimentoDefesa: AT, finalizacao: AT },
  origem: { nomeParticipante: 'BANCO XYZ', conta: '10001', nome: 'Fulano de Tal', documento: '800000000000000' },
  destino: { nomeParticipante: 'Efí S/A', conta: '10001', nome: 'Fulano de Tal', documento: '800000000000000' },
  criadoEm: AT,
  atualizadoEm: AT,
};
const DISPUTE = {
  providerId: ID,
  endToEndId: E2E,
  status: 'open',
  rawStatus: 'ABERTA',
  reason: 'fraud',
  amountCentavos: null,
  openedAt: new Date(AT),
  answerBy: new Date('2023-12-29T16:01:35Z'),
  answeredAt: new Date(AT),
  payerDocument: null,
};
const page = (infracoes: unknown[], paginaAtual = 0, quantidadeDePaginas = 1): Answer => ({
  status: 200,
  body: {
    parametros: {
      inicio: AT,
      fim: AT,
      paginacao: { paginaAtual, itensPorPagina: 20, quantidadeDePaginas, quantidadeTotalDeItens: infracoes.length },
    },
    infracoes,
  },
});
const problem = (status: number, type: string, razao?: string): Answer => ({
  status,
  body: {
    type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
    title: 'Operação Inválida',
    status,
    detail: 'A requisição que busca apresentar uma defesa de infração não respeita o schema.',
    ...(razao && { violacoes: [{ razao, propriedade: 'body.infractionId' }] }),
  },
});
const NO_SCOPE: Answer = {
  status: 403,
  body: { error: 'insufficient_scope', error_description: 'Access token has insufficient scope' },
};
const PERIOD = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-20T00:00:00Z'), page: 0 };

let disputes: PixDisputeRail;
beforeEach(() => {
  const { disputes: rail } = setup.connect({ disputes: { baseUrl: setup.psp.baseUrl } });
  if (!rail) throw new Error('There is no rail for disputes.');
  disputes = rail;
});

/** Reads an entry with these fields in place of the example's. */
async function read(fields: object) {
  setup.psp.answers = [page([{ ...INFRACAO, ...fields }])];
  const listed = await disputes.listDisputes(PERIOD);
  if (listed.outcome !== 'done') throw new Error(listed.reason);
  return listed.value.disputes[0];
}

describe('the list of disputes', () => {
  test('is asked for in the words of Efí’s example, and its answer is understood', async () => {
    setup.psp.answers = [page([INFRACAO], 0, 2)];
    expect(await disputes.listDisputes(PERIOD)).toEqual({
      outcome: 'done',
      value: { disputes: [DISPUTE], unreadable: 0, hasMore: true },
    });
    const { pathname, searchParams } = new URL(
      (setup.psp.calls[0]?.call ?? '').replace('GET ', 'http://psp'),
      'http://psp',
    );
    expect(pathname).toBe('/psp/api/v2/gn/infracoes');
    expect(Object.fromEntries(searchParams)).toEqual({
      inicio: '2026-11-01T00:00:00.000Z',
      fim: '2026-11-20T00:00:00.000Z',
      'paginacao.paginaAtual': '0',
      'paginacao.itensPorPagina': '20',
    });
    const scope = new URLSearchParams(setup.psp.tokenCalls[0]?.body).get('scope');
    expect(scope).toBe('gn.infractions.read gn.infractions.write');
  });

  test.each([
    ['ABERTA', 'open'],
    ['EM_DEFESA', 'answered'],
    ['ACEITA', 'lost'],
    ['REJEITADA', 'won'],
    ['CANCELADA_EFI', 'cancelled'],
    ['CANCELADA_BACEN', 'cancelled'],
    ['EM_ANALISE', null],
  ])('understands the state %s as %s, and keeps the word', async (status, understood) => {
    expect(await read({ status })).toMatchObject({ status: understood, rawStatus: status });
  });

  test.each<[unknown, bigint | null]>([
    ['100.00', 10_000n],
    ['100', null],
    [100, null],
    ['100,00', null],
    [undefined, null],
  ])('takes the amount %o as %s: an amount in doubt is left out', async (valor, centavos) => {
    expect(await read({ valor })).toMatchObject({ amountCentavos: centavos });
  });

  test.each([
    ['golpe', 'Solicitacao de devolução', 'fraud'],
    ['acesso fraudulento', undefined, 'fraud'],
    ['outro', 'Falha operacional', 'operational_failure'],
    ['desconhecido', 'Solicitacao de devolução', 'unknown'],
    [undefined, undefined, 'unknown'],
  ])('takes the situation %s with the reason %s as %s', async (tipoSituacao, razao, reason) => {
    expect(await read({ tipoSituacao, razao })).toMatchObject({ reason });
  });

  test('needs the id, the payment and the state of an entry, and tolerates everything else', async () => {
    const { idInfracao, endToEndId, status } = INFRACAO;
    const bare = { idInfracao, endToEndId, status };
    const odd = {
      ...INFRACAO,
      ...{ dadosAnalise: 'amanhã', origem: 7, criadoEm: '2024-20-08', novo: {}, protocolo: 1313 },
    };
    const anonymous = { ...INFRACAO, idInfracao: undefined };
    setup.psp.answers = [
      page([bare, odd, anonymous, { ...INFRACAO, idInfracao: 'a\0b' }, { ...INFRACAO, endToEndId: 'E1' }, null]),
    ];
    expect(await disputes.listDisputes(PERIOD)).toMatchObject({
      value: {
        disputes: [
          { providerId: ID, openedAt: null, answerBy: null, payerDocument: null, reason: 'unknown' },
          { providerId: ID, openedAt: null, answerBy: null, payerDocument: null, reason: 'fraud' },
        ],
        unreadable: 4,
        hasMore: false,
      },
    });
    const payer = await read({ origem: { documento: '529.982.247-25' } });
    expect(payer?.payerDocument).toBe('52998224725');
  });

  test('of an application without the scopes is rejected, and what fails is unknown', async () => {
    setup.psp.answers = [NO_SCOPE];
    expect(await disputes.listDisputes(PERIOD)).toEqual({
      outcome: 'rejected',
      reason: 'HTTP 403: the application needs the scopes gn.infractions.read gn.infractions.write',
    });
    const disabled = problem(500, 'InfracaoErroInterno');
    setup.psp.answers = [disabled, disabled, disabled];
    expect(await disputes.listDisputes(PERIOD)).toMatchObject({ outcome: 'unknown' });
  });

  test('is there for the hosts of Efí and where it is set up, and nowhere else', () => {
    expect(setup.rail.disputes).toBeNull();
    expect(setup.connect({ baseUrl: 'https://pix.api.efipay.com.br/v2' }).disputes).not.toBeNull();
    expect(setup.connect({ baseUrl: 'https://api-pix.sicredi.com.br/api/v2' }).disputes).toBeNull();
  });
});

describe('a dispute that is asked for by its id', () => {
  test('is looked for page by page in the last months', async () => {
    setup.psp.answers = [page([{ ...INFRACAO, idInfracao: 'another' }], 0, 2), page([INFRACAO], 1, 2)];
    expect(await disputes.findDispute(ID)).toEqual({ outcome: 'done', value: DISPUTE });
    expect(setup.psp.calls[1]?.call).toContain('inicio=2026-08-20');
    expect(setup.psp.calls[1]?.call).toContain('paginaAtual=1');
  });

  test('is null where the PSP has none, and unknown where it does not say', async () => {
    setup.psp.answers = [page([])];
    expect(await disputes.findDispute(ID)).toEqual({ outcome: 'done', value: null });
    setup.psp.answers = ['cut', 'cut', 'cut'];
    expect(await disputes.findDispute(ID)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('an answer to a dispute', () => {
  const contest = { providerId: ID, answer: 'contest', text: 'Entregue ao pagador.' } as const;

  test('is sent in the words of Efí’s example, and its answer without JSON is understood', async () => {
    setup.psp.answers = [{ status: 201, body: 'Defesa de infração MED criada' }, { status: 201 }];
    expect(await disputes.answerDispute(contest)).toEqual({ outcome: 'done', value: 'taken' });
    expect(setup.psp.calls[0]).toMatchObject({
      call: `POST /psp/api/v2/gn/infracoes/${ID}/defesa`,
      body: '{"analise":"rejeitado","justificativa":"Entregue ao pagador."}',
    });
    await disputes.answerDispute({ providerId: ID, answer: 'agree', text: null });
    expect(JSON.parse(setup.psp.calls[1]?.body ?? '')).toEqual({
      analise: 'aceito',
      justificativa: 'O recebedor concorda com a devolução.',
    });
  });

  test('that the case has already is done, and one to another receiver’s case is rejected', async () => {
    setup.psp.answers = [problem(409, 'InfracaoOperacaoInvalida', 'A defesa para essa infração já foi criada.')];
    expect(await disputes.answerDispute(contest)).toEqual({ outcome: 'done', value: 'has_one' });
    const foreign = 'O documento da infração não é o mesmo utilizado na criação da defesa.';
    setup.psp.answers = [problem(409, 'InfracaoOperacaoInvalida', foreign)];
    expect(await disputes.answerDispute(contest)).toMatchObject({ outcome: 'rejected' });
  });

  test.each<[string, Answer, string]>([
    ['too late', problem(422, 'InfracaoOperacaoInvalida', 'O prazo para defesa foi excedido.'), 'rejected'],
    ['to no case', problem(404, 'InfracaoNaoEncontrada'), 'rejected'],
    ['without the scope', NO_SCOPE, 'rejected'],
    ['to a PSP that fails', problem(500, 'InfracaoErroInterno'), 'unknown'],
    ['without a reply', 'cut', 'unknown'],
  ])('%s is not taken, and sent once', async (_, answer, outcome) => {
    setup.psp.answers = [answer];
    expect(await disputes.answerDispute(contest)).toMatchObject({ outcome });
    expect(setup.psp.calls).toHaveLength(1);
  });
});
