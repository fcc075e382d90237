/**
 * Sending PIX, as Efí has it beside API Pix (dev.efipay.com.br, "Envio e Pagamento Pix"): one
 * idEnvio pays once. `sandbox.payouts` holds only payouts that were executed.
 */
import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { z } from 'zod';
import { fromDecimal } from '#domain/values/money.ts';
import { check, parseJson } from '../body.ts';
import { Problem, pixProblem } from '../problems.ts';
import type { SandboxClient, SandboxOptions } from '../sandbox-options.ts';
import { type Reply, SILENCE } from '../sandbox-request.ts';
import { endOfProcessing, type Step } from '../steps.ts';
import { isQuerySilenced, readSwitch, type SwitchValue } from '../switches.ts';
import { currentClockId } from '../test-clocks.ts';
import {
  ACCOUNT_NOT_FOUND,
  deniedPayment,
  foreignKey,
  invalidJson,
  keyWithoutWebhook,
  unknownPayeeKey,
  usedId,
  zeroAmount,
} from './efi-errors.ts';
import { newEndToEndId } from './end-to-end-id.ts';
import { isUnknownPixKey, payoutMagic } from './magic.ts';
import { END_TO_END_ID, periodFields, requireOrder } from './payments.ts';
import { PAYOUT_COLUMNS, type Payout, presentNotice, presentPayout } from './payout-records.ts';
import { ID_ENVIO, type PayoutRequest, payoutRequest } from './payout-request.ts';
import { planCallbacks } from './plan-callbacks.ts';

/**
 * PUT /v3/gn/pix/{idEnvio}: 201; 409 for an id that was used before, whatever the body says now.
 */
export async function putPayout(
  options: SandboxOptions,
  client: SandboxClient,
  idEnvio: string,
  bodyText: string,
): Promise<Reply> {
  if (!ID_ENVIO.test(idEnvio)) throw invalidJson([{ razao: 'idEnvio inválido', propriedade: '.idEnvio' }]);
  if (await isUsed(options.pool, client, idEnvio)) throw usedId();
  const request = readRequest(bodyText);
  if (fromDecimal(request.valor) === 0n) throw zeroAmount();
  if (request.pagador.chave !== client.pixKey) throw foreignKey();
  if (!(await hasWebhook(options.pool, client))) throw keyWithoutWebhook();
  if (isUnknownPixKey(request.favorecido.chave)) throw unknownPayeeKey();

  const mode = payoutMagic(request.valor) ?? (await readSwitch(options.pool, 'pix.payout'));
  if (mode === 'rejected') throw deniedPayment(ACCOUNT_NOT_FOUND);
  if (mode === 'silent_lost') return SILENCE;
  const sent = await execute(options, client, idEnvio, request, mode);
  return mode === 'silent_done' ? SILENCE : { status: 201, body: sent };
}

/** GET /v2/gn/pix/enviados/id-envio/{idEnvio}. */
export function getPayoutById(options: SandboxOptions, client: SandboxClient, idEnvio: string): Promise<Reply> {
  return getPayout(options, client, 'id_envio', ID_ENVIO.test(idEnvio) ? idEnvio : null);
}

/** GET /v2/gn/pix/enviados/{e2eid}. */
export function getPayoutByEndToEndId(options: SandboxOptions, client: SandboxClient, id: string): Promise<Reply> {
  return getPayout(options, client, 'end_to_end_id', END_TO_END_ID.test(id) ? id : null);
}

/** GET /v2/gn/pix/enviados: what this payer sent in a period, oldest first, by pages. */
export async function listPayouts(
  options: SandboxOptions,
  client: SandboxClient,
  query: URLSearchParams,
): Promise<Reply> {
  if (await isQuerySilenced(options.pool)) return SILENCE;
  const { inicio, fim, paginaAtual, itensPorPagina } = readPeriod(query);
  const { rows } = await options.pool.query<Payout & { total: string }>({
    name: 'sandbox_list_payouts',
    text: `SELECT ${PAYOUT_COLUMNS}, count(*) OVER () AS total FROM sandbox.payouts
           WHERE document = $1 AND asked_at >= $2 AND asked_at <= $3
           ORDER BY asked_at, end_to_end_id LIMIT $4 OFFSET $5`,
    values: [client.document, inicio, fim, itensPorPagina, paginaAtual * itensPorPagina],
  });
  const quantidadeTotalDeItens = Number(rows[0]?.total ?? 0);
  const quantidadeDePaginas = Math.max(1, Math.ceil(quantidadeTotalDeItens / itensPorPagina));
  const paginacao = { paginaAtual, itensPorPagina, quantidadeDePaginas, quantidadeTotalDeItens };
  return { status: 200, body: { parametros: { inicio, fim, paginacao }, pix: rows.map(presentPayout) } };
}

/** Ends a payout that is EM_PROCESSAMENTO as REALIZADO or NAO_REALIZADO, and plans its callback. */
export async function endPayout(db: PoolClient, step: Step & { kind: 'end_payout' }, now: Date): Promise<void> {
  const { rows } = await db.query<Payout>({
    name: 'sandbox_end_payout',
    text: `UPDATE sandbox.payouts SET status = ends_as, settled_at = $3
           WHERE id_envio = $1 AND document = $2 AND status = 'EM_PROCESSAMENTO' RETURNING ${PAYOUT_COLUMNS}`,
    values: [step.idEnvio, step.document, now],
  });
  const payout = rows[0];
  if (!payout) return;
  const opposite = payout.status === 'REALIZADO' ? 'NAO_REALIZADO' : 'REALIZADO';
  const notice = {
    chave: payout.chave,
    entry: presentNotice(payout),
    // A payout that was never sent, and this one with the opposite outcome.
    forgeries: [
      presentNotice({ ...payout, id_envio: randomBytes(16).toString('hex'), end_to_end_id: newEndToEndId(now) }),
      presentNotice({ ...payout, status: opposite }),
    ],
  };
  await planCallbacks(db, await readSwitch(db, 'pix.callback'), notice, now);
}

/**
 * Pays once: the primary key lets one of several concurrent calls through, and the others are
 * counted. A payout that gets no response ends at once, so that no callback reports it either.
 */
async function execute(
  options: SandboxOptions,
  client: SandboxClient,
  idEnvio: string,
  request: PayoutRequest,
  mode: Exclude<SwitchValue<'pix.payout'>, 'rejected' | 'silent_lost'>,
) {
  const now = options.clock();
  const { valor, pagador, favorecido } = request;
  const endToEndId = newEndToEndId(now);
  const isSilent = mode === 'silent_done';
  const end: Step = { kind: 'end_payout', document: client.document, idEnvio };
  const { rows } = await options.pool.query<{ attempts: number }>({
    name: 'sandbox_insert_payout',
    text: `
      WITH executed AS (
        INSERT INTO sandbox.payouts (id_envio, document, end_to_end_id, chave, payee_key, amount_centavos, payer_note,
          status, ends_as, failure_code, asked_at, settled_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT (id_envio, document) DO UPDATE SET attempts = payouts.attempts + 1
        RETURNING attempts
      ), planned AS (
        INSERT INTO sandbox.due_steps (step, due_at, clock_id)
        SELECT $13::jsonb, $14::timestamptz, $15::uuid FROM executed WHERE attempts = 1 AND $8 = 'EM_PROCESSAMENTO'
      )
      SELECT attempts FROM executed`,
    values: [
      idEnvio,
      client.document,
      endToEndId,
      client.pixKey,
      favorecido.chave,
      fromDecimal(valor),
      pagador.infoPagador ?? null,
      isSilent ? 'REALIZADO' : 'EM_PROCESSAMENTO',
      mode === 'refused' ? 'NAO_REALIZADO' : 'REALIZADO',
      mode === 'refused' ? ACCOUNT_NOT_FOUND.codigo : null,
      now,
      isSilent ? now : null,
      JSON.stringify(end),
      endOfProcessing(now),
      currentClockId(),
    ],
  });
  if (rows[0]?.attempts !== 1) throw usedId();
  const horario = { solicitacao: now.toISOString() };
  return { idEnvio, e2eId: endToEndId, valor, horario, status: 'EM_PROCESSAMENTO' };
}

async function isUsed(pool: Pool, client: SandboxClient, idEnvio: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'sandbox_count_payout_attempt',
    text: 'UPDATE sandbox.payouts SET attempts = attempts + 1 WHERE id_envio = $1 AND document = $2',
    values: [idEnvio, client.document],
  });
  return rowCount === 1;
}

async function hasWebhook(pool: Pool, client: SandboxClient): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT 1 FROM sandbox.webhooks WHERE chave = $1', [client.pixKey]);
  return rowCount === 1;
}

function readRequest(bodyText: string): PayoutRequest {
  const checked = check(payoutRequest, readJson(bodyText), '');
  if (!checked.ok) throw invalidJson(checked.violacoes);
  return checked.value;
}

const listQuery = z.object(periodFields);

function readPeriod(query: URLSearchParams) {
  const checked = check(listQuery, Object.fromEntries(query), 'pix');
  if (!checked.ok) throw pixProblem('PixConsultaInvalida', { violacoes: checked.violacoes });
  const { inicio, fim } = requireOrder(checked.value);
  return {
    inicio,
    fim,
    paginaAtual: checked.value['paginacao.paginaAtual'],
    itensPorPagina: checked.value['paginacao.itensPorPagina'],
  };
}

function readJson(bodyText: string): unknown {
  try {
    return parseJson(bodyText);
  } catch (error) {
    throw error instanceof Problem ? invalidJson() : error;
  }
}

/**
 * @param value null for a value that no payout can have: a NUL would not even get through the
 *   database's protocol
 */
async function getPayout(
  options: SandboxOptions,
  client: SandboxClient,
  column: 'id_envio' | 'end_to_end_id',
  value: string | null,
): Promise<Reply> {
  if (await isQuerySilenced(options.pool)) return SILENCE;
  const { rows } = await options.pool.query<Payout>({
    name: `sandbox_find_payout_${column}`,
    text: `SELECT ${PAYOUT_COLUMNS} FROM sandbox.payouts WHERE ${column} = $1 AND document = $2`,
    values: [value, client.document],
  });
  if (rows[0]) return { status: 200, body: presentPayout(rows[0]) };
  const name = column === 'id_envio' ? 'idEnvio' : 'endToEndId';
  throw pixProblem('PixEnviadoNaoEncontrado', { detail: `Pix enviado não encontrado para o ${name} informado.` });
}
