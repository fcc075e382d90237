/**
 * Cases of the central bank's return mechanism (MED), as Efí has them beside API Pix
 * (dev.efipay.com.br, "Listar infrações MED da conta" and "Submeter defesa de infração MED").
 */
import { z } from 'zod';
import { withTransaction } from '#db/connection/with-transaction.ts';
import { toDecimal } from '#domain/values/money.ts';
import { check, parseJson, text } from '../body.ts';
import { pixProblem } from '../problems.ts';
import type { SandboxClient, SandboxOptions } from '../sandbox-options.ts';
import { type Reply, SILENCE } from '../sandbox-request.ts';
import { isQuerySilenced, readSwitch } from '../switches.ts';
import { planDecision } from './contest.ts';
import { periodFields, requireOrder } from './payments.ts';

type Payer = { nome: string; cpf?: string; cnpj?: string };

type Dispute = {
  id: string;
  /** A text or a bigint, depending on the pool's type parsers. */
  protocol: string | bigint;
  end_to_end_id: string;
  amount_centavos: string;
  status: string;
  outcome: string;
  opened_at: Date;
  answer_by: Date;
  defence: string | null;
  answered_at: Date | null;
  decided_at: Date | null;
  updated_at: Date;
  paid_at: Date;
  chave: string;
  document: string;
  /** `devedor` of the charge. */
  payer: Payer | null;
};

const listQuery = z.object(periodFields);

/** The longest defence that is accepted, in characters. */
const DEFENCE_LENGTH_MAX = 4_000;
const defenceRequest = z.object({
  analise: z.enum(['aceito', 'rejeitado']),
  justificativa: text(DEFENCE_LENGTH_MAX).refine((written) => written.trim() !== ''),
});

/**
 * GET /v2/gn/infracoes: the cases that were opened in a period, oldest first, by pages. That the
 * period is that of the opening is assumed.
 */
export async function listDisputes(
  options: SandboxOptions,
  client: SandboxClient,
  query: URLSearchParams,
): Promise<Reply> {
  if (await isQuerySilenced(options.pool)) return SILENCE;
  const checked = check(listQuery, Object.fromEntries(query), 'infracoes.query');
  if (!checked.ok) throw pixProblem('InfracoesConsultaInvalida', { violacoes: checked.violacoes });
  const { inicio, fim } = requireOrder(checked.value, 'InfracoesConsultaInvalida');
  const { 'paginacao.paginaAtual': paginaAtual, 'paginacao.itensPorPagina': itensPorPagina } = checked.value;
  const { rows } = await options.pool.query<Dispute & { total: string }>({
    name: 'sandbox_list_disputes',
    text: `SELECT d.*, p.paid_at, p.chave, c.request -> 'devedor' AS payer, count(*) OVER () AS total
           FROM sandbox.disputes d JOIN sandbox.payments p USING (end_to_end_id)
             LEFT JOIN sandbox.cobs c ON c.txid = p.txid AND c.document = p.document
           WHERE d.document = $1 AND opened_at >= $2 AND opened_at <= $3
           ORDER BY opened_at, id LIMIT $4 OFFSET $5`,
    values: [client.document, inicio, fim, itensPorPagina, paginaAtual * itensPorPagina],
  });
  const quantidadeTotalDeItens = Number(rows[0]?.total ?? 0);
  const quantidadeDePaginas = Math.max(1, Math.ceil(quantidadeTotalDeItens / itensPorPagina));
  const paginacao = { paginaAtual, itensPorPagina, quantidadeDePaginas, quantidadeTotalDeItens };
  return { status: 200, body: { parametros: { inicio, fim, paginacao }, infracoes: rows.map(present) } };
}

/**
 * POST /v2/gn/infracoes/{idInfracao}/defesa: 201 with a text as its body. A case accepts one
 * answer.
 */
export async function postDefence(
  options: SandboxOptions,
  client: SandboxClient,
  id: string,
  bodyText: string,
): Promise<Reply> {
  const checked = check(defenceRequest, parseJson(bodyText), 'infracoes.body');
  if (!checked.ok) {
    const { detail } = invalid('').body;
    throw pixProblem('InfracoesConsultaInvalida', { detail: String(detail), violacoes: checked.violacoes });
  }
  const { analise, justificativa } = checked.value;
  const mode = await readSwitch(options.pool, 'pix.defence');
  if (mode === 'silent_lost') return SILENCE;
  if (mode === 'rejected') throw invalid(TOO_LATE);
  const now = options.clock();
  await withTransaction(options.pool, async (db) => {
    const { rows } = await db.query<Dispute>(
      'SELECT * FROM sandbox.disputes WHERE id = $1 AND document = $2 FOR UPDATE',
      [id.includes('\0') ? '' : id, client.document],
    );
    const dispute = rows[0];
    if (!dispute) throw pixProblem('InfracaoNaoEncontrada');
    if (dispute.answered_at) throw invalid('A defesa para essa infração já foi criada.', 409);
    if (dispute.status !== 'ABERTA' || now > dispute.answer_by) throw invalid(TOO_LATE);
    await db.query(
      `UPDATE sandbox.disputes SET status = 'EM_DEFESA', analysis = $2, defence = $3, answered_at = $4,
         updated_at = $4 WHERE id = $1`,
      [id, analise, justificativa, now],
    );
    await planDecision(db, { id, analysis: analise, outcome: dispute.outcome }, now);
  });
  return mode === 'silent_done' ? SILENCE : { status: 201, body: 'Defesa de infração MED criada' };
}

const TOO_LATE = 'O prazo para defesa foi excedido.';

const invalid = (razao: string, status = 422) =>
  pixProblem('InfracaoOperacaoInvalida', { status, violacoes: [{ razao, propriedade: 'body.infractionId' }] });

/** The payer of a charge without `devedor`. */
const SOMEBODY: Payer = { nome: 'Fulano de Tal', cpf: '52998224725' };

function presentPayer({ payer }: Dispute) {
  const { nome, cpf, cnpj } = payer ?? SOMEBODY;
  return { nomeParticipante: 'BANCO XYZ', conta: '10001', nome, documento: cpf ?? cnpj };
}

function present(dispute: Dispute) {
  const at = (instant: Date | null) => instant?.toISOString();
  return {
    idInfracao: dispute.id,
    endToEndId: dispute.end_to_end_id,
    protocolo: String(dispute.protocol),
    dataTransacao: at(dispute.paid_at),
    valor: toDecimal(BigInt(dispute.amount_centavos)),
    chave: dispute.chave,
    status: dispute.status,
    razao: 'Solicitacao de devolução',
    tipoSituacao: 'golpe',
    comentario: 'Transação feita através de QR Code falso em boleto',
    defesa: dispute.defence ?? undefined,
    identificadorTicket: [Number(dispute.protocol)],
    dadosAnalise: {
      abertura: at(dispute.opened_at),
      prazoFinalizacao: at(dispute.answer_by),
      recebimentoDefesa: at(dispute.answered_at),
      finalizacao: at(dispute.decided_at),
    },
    origem: presentPayer(dispute),
    destino: { nomeParticipante: 'Efí S/A', conta: '10002', nome: 'Recebedor', documento: dispute.document },
    criadoEm: at(dispute.opened_at),
    atualizadoEm: at(dispute.updated_at),
  };
}
