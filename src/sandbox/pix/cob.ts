/**
 * Immediate charges: PUT, PATCH and GET /cob/{txid} (API Pix 2.9.0, tag Cob), and the payload
 * behind a BR Code.
 */
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { encodeDynamicBrCode } from '#domain/charges/br-code.ts';
import { fromDecimal } from '#domain/values/money.ts';
import { check, parseJson } from '../body.ts';
import { pixProblem } from '../problems.ts';
import type { SandboxClient, SandboxOptions } from '../sandbox-options.ts';
import { type Reply, SILENCE } from '../sandbox-request.ts';
import type { Step } from '../steps.ts';
import { isSilencedBy, type SwitchValue } from '../switches.ts';
import { currentClockId } from '../test-clocks.ts';
import { type CobRequest, cobRemoval, cobRequest, TXID } from './cob-request.ts';
import { CHARGE_PAID_AFTER_SECONDS, chargeMagic } from './magic.ts';
import { type ListedPayment, presentPayments } from './payments.ts';

/**
 * A location is at most 77 characters (schema PayloadLocation), so a long host leaves fewer for the
 * token.
 */
const LOCATION_MAX = 77;
const TOKEN_MAX = 32;
/** 64 bits: with fewer, two charges could get the same location. */
const TOKEN_MIN = 16;
const LOCATION_PATH = '/qr/';
/** No charge has it. Another one might not even get through the database's protocol, as a NUL. */
const NO_TXID = '';
/** The longest host that leaves room for a token. */
export const PUBLIC_HOST_MAX = LOCATION_MAX - LOCATION_PATH.length - TOKEN_MIN;

type Cob = {
  txid: string;
  request: CobRequest;
  status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP';
  revisao: number;
  created_at: Date;
  location_id: string;
  location: string;
  br_code: string;
};

const COB_COLUMNS = 'txid, request, status, revisao, created_at, location_id, location, br_code';

/**
 * PUT /cob/{txid}: 201 with the charge. The same body again answers the existing charge; another
 * body is rejected. A new charge costs one round trip: one statement reads the switch and inserts
 * the charge if the switch allows it.
 */
export async function createCob(
  options: SandboxOptions,
  client: SandboxClient,
  txid: string,
  bodyText: string,
): Promise<Reply> {
  const request = readRequest(client, txid, bodyText);
  const createdAt = options.clock();
  const token = randomBytes(TOKEN_MAX / 2)
    .toString('hex')
    .slice(0, LOCATION_MAX - (options.publicHost + LOCATION_PATH).length);
  const location = options.publicHost + LOCATION_PATH + token;
  const amountCentavos = fromDecimal(request.valor.original);
  const brCode = encodeDynamicBrCode({
    location,
    ...(amountCentavos !== null && { amountCentavos }),
    merchantName: options.merchantName,
    merchantCity: options.merchantCity,
  });
  const expiresAt = secondsAfter(createdAt, request.calendario.expiracao);
  const magic = chargeMagic(request.valor.original);
  const isPaidByItself = magic === 'paid' || magic === 'paid_out_of_order';
  const payment: Step = { kind: 'pay_charge', txid, chave: request.chave };
  const paidAt = secondsAfter(createdAt, CHARGE_PAID_AFTER_SECONDS);

  const { rows } = await options.pool.query<{ mode: SwitchValue<'pix.charge'>; location_id: string | null }>({
    name: 'sandbox_insert_cob',
    text: `
      WITH switch AS (
        SELECT coalesce((SELECT value FROM sandbox.switches WHERE name = 'pix.charge'), 'ok') AS mode
      ), inserted AS (
        INSERT INTO sandbox.cobs (document, txid, chave, request, created_at, expires_at, location_token, location, br_code)
        SELECT $1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9 FROM switch WHERE mode NOT IN ('error', 'refused')
        ON CONFLICT (txid, document) DO NOTHING
        RETURNING location_id
      ), planned AS (
        INSERT INTO sandbox.due_steps (step, due_at, clock_id)
        SELECT $10::jsonb, $11::timestamptz, $13::uuid FROM inserted WHERE $12
      ), noted AS (
        INSERT INTO sandbox.clock_subjects (subject, clock_id)
        SELECT $2, $13::uuid FROM inserted WHERE $13 IS NOT NULL ON CONFLICT DO NOTHING
      )
      SELECT mode, location_id FROM switch LEFT JOIN inserted ON true`,
    values: [
      client.document,
      txid,
      request.chave,
      JSON.stringify(request),
      createdAt,
      expiresAt,
      token,
      location,
      brCode,
      JSON.stringify(payment),
      paidAt,
      isPaidByItself,
      currentClockId(),
    ],
  });
  const { mode, location_id } = rows[0] ?? { mode: 'error', location_id: null };
  if (mode === 'error') throw pixProblem('ErroInternoDoServidor');
  if (mode === 'refused') throw pixProblem('RequisicaoInvalida');

  const cob: Cob = location_id
    ? { txid, request, status: 'ATIVA', revisao: 0, created_at: createdAt, location_id, location, br_code: brCode }
    : await findSameCob(options.pool, client, txid, request);
  return mode === 'timeout' ? SILENCE : { status: 201, body: presentCob(cob) };
}

/**
 * PATCH /cob/{txid}: 200 with the charge. Removes an active charge, the only revision that this PSP
 * supports.
 */
export async function removeCob(
  options: SandboxOptions,
  client: SandboxClient,
  txid: string,
  bodyText: string,
): Promise<Reply> {
  const checked = check(cobRemoval, parseJson(bodyText), 'cob');
  if (!checked.ok) throw pixProblem('CobOperacaoInvalida', { violacoes: checked.violacoes });
  const { rows } = await options.pool.query<Cob>({
    name: 'sandbox_remove_cob',
    text: `UPDATE sandbox.cobs SET status = $3, revisao = revisao + 1
           WHERE document = $1 AND txid = $2 AND status = 'ATIVA' RETURNING ${COB_COLUMNS}`,
    values: [client.document, txid, checked.value.status],
  });
  if (rows[0]) return { status: 200, body: presentCob(rows[0]) };
  await findCob(options.pool, client, txid);
  throw pixProblem('CobOperacaoInvalida', {
    violacoes: [
      { razao: 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.', propriedade: 'cob.status' },
    ],
  });
}

/** A charge with one of its payments; null where there is none. */
type CobRow = { query_switch: string | null } & (Cob | Missing<Cob>) & (ListedPayment | Missing<ListedPayment>);
type Missing<T> = { [Key in keyof T]: null };

/**
 * GET /cob/{txid}: 200 with the charge and, once it was paid, its payments. Costs one round trip,
 * unless a payment has devoluções: one statement reads the switch, the charge and its payments.
 */
export async function getCob(options: SandboxOptions, client: SandboxClient, txid: string): Promise<Reply> {
  const { rows } = await options.pool.query<CobRow>({
    name: 'sandbox_get_cob',
    text: `SELECT s.value AS query_switch, c.txid, c.request, c.status, c.revisao, c.created_at, c.location_id,
             c.location, c.br_code, p.end_to_end_id, p.chave, p.amount_centavos, p.paid_at, p.payer_note,
             EXISTS (SELECT FROM sandbox.refunds r WHERE r.end_to_end_id = p.end_to_end_id) AS has_refunds
           FROM (SELECT) AS always
             LEFT JOIN sandbox.switches s ON s.name = 'pix.query'
             LEFT JOIN sandbox.cobs c ON c.document = $1 AND c.txid = $2
             LEFT JOIN sandbox.payments p ON p.document = c.document AND p.txid = c.txid
           ORDER BY p.paid_at, p.end_to_end_id`,
    values: [client.document, TXID.test(txid) ? txid : NO_TXID],
  });
  const [cob] = rows;
  if (isSilencedBy(cob?.query_switch)) return SILENCE;
  if (!cob || cob.request === null) throw pixProblem('CobNaoEncontrado');
  const payments = rows.filter((row) => row.end_to_end_id !== null);
  const pix = payments.length > 0 ? await presentPayments(options.pool, payments) : undefined;
  return { status: 200, body: { ...presentCob(cob), pix } };
}

/**
 * GET /qr/{token}: the payload that a payer's app reads, as plain JSON; the standard has it signed
 * (CobPayload).
 */
export async function getPayload(options: SandboxOptions, token: string): Promise<Reply> {
  const { rows } = await options.pool.query<Cob>({
    name: 'sandbox_find_payload',
    text: `SELECT ${COB_COLUMNS} FROM sandbox.cobs WHERE location_token = $1`,
    values: [token],
  });
  if (!rows[0]) throw pixProblem('CobPayloadNaoEncontrado');
  const { calendario, valor, chave, txid, status, revisao } = presentCob(rows[0]);
  const apresentacao = options.clock().toISOString();
  return { status: 200, body: { calendario: { ...calendario, apresentacao }, valor, chave, txid, status, revisao } };
}

function readRequest(client: SandboxClient, txid: string, bodyText: string): CobRequest {
  const checked = check(cobRequest, parseJson(bodyText), 'cob');
  const violacoes = checked.ok ? [] : checked.violacoes;
  if (!TXID.test(txid)) violacoes.push({ razao: 'O campo txid não respeita o _schema_.', propriedade: 'txid' });
  if (checked.ok && checked.value.chave !== client.pixKey) {
    violacoes.push({
      razao: 'O campo cob.chave corresponde a uma conta que não pertence a este usuário recebedor.',
      propriedade: 'cob.chave',
      valor: checked.value.chave,
    });
  }
  if (!checked.ok || violacoes.length > 0) throw pixProblem('CobOperacaoInvalida', { violacoes });
  return checked.value;
}

async function findCob(pool: Pool, client: SandboxClient, txid: string): Promise<Cob> {
  if (!TXID.test(txid)) throw pixProblem('CobNaoEncontrado');
  const { rows } = await pool.query<Cob>({
    name: 'sandbox_find_cob',
    text: `SELECT ${COB_COLUMNS} FROM sandbox.cobs WHERE document = $1 AND txid = $2`,
    values: [client.document, txid],
  });
  if (!rows[0]) throw pixProblem('CobNaoEncontrado');
  return rows[0];
}

async function findSameCob(pool: Pool, client: SandboxClient, txid: string, request: CobRequest): Promise<Cob> {
  const { rows } = await pool.query<Cob>({
    name: 'sandbox_find_same_cob',
    text: `SELECT ${COB_COLUMNS} FROM sandbox.cobs WHERE document = $1 AND txid = $2 AND request = $3::jsonb`,
    values: [client.document, txid, JSON.stringify(request)],
  });
  if (rows[0]) return rows[0];
  throw pixProblem('CobOperacaoInvalida', {
    violacoes: [
      { razao: 'A cobrança já existe, e a presente requisição busca alterá-la.', propriedade: 'txid', valor: txid },
    ],
  });
}

/** Schema CobGerada. */
function presentCob(cob: Cob) {
  const { calendario, devedor, valor, chave, solicitacaoPagador, infoAdicionais } = cob.request;
  const criacao = cob.created_at.toISOString();
  return {
    calendario: { criacao, expiracao: calendario.expiracao },
    txid: cob.txid,
    revisao: cob.revisao,
    loc: { id: Number(cob.location_id), txid: cob.txid, location: cob.location, tipoCob: 'cob', criacao },
    location: cob.location,
    status: cob.status,
    devedor,
    valor,
    chave,
    solicitacaoPagador,
    infoAdicionais,
    pixCopiaECola: cob.br_code,
  };
}

function secondsAfter(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
