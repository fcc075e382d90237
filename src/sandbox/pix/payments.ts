/**
 * Received PIX: GET /pix and GET /pix/{e2eid} (API Pix 2.9.0, tag Pix), and a payment as every
 * answer shows it.
 */
import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import { toDecimal } from '#domain/values/money.ts';
import { check } from '../body.ts';
import { pixProblem } from '../problems.ts';
import type { SandboxClient, SandboxOptions } from '../sandbox-options.ts';
import { type Reply, SILENCE } from '../sandbox-request.ts';
import { isQuerySilenced } from '../switches.ts';
import { findRefunds, presentRefund, type Refund } from './refund-records.ts';

export type Payment = {
  end_to_end_id: string;
  /** Null: paid to the key, without a charge. */
  txid: string | null;
  chave: string;
  /** `pg` returns a bigint as text. */
  amount_centavos: string;
  paid_at: Date;
  payer_note: string | null;
};

export const PAYMENT_COLUMNS = 'end_to_end_id, txid, chave, amount_centavos, paid_at, payer_note';
/** Schema EndToEndId. */
export const END_TO_END_ID = /^[a-zA-Z0-9]{32}$/;

/** GET /pix/{e2eid}: one payment that this receiver got. */
export async function getPayment(options: SandboxOptions, client: SandboxClient, endToEndId: string): Promise<Reply> {
  if (await isQuerySilenced(options.pool)) return SILENCE;
  const payment = await findPayment(options.pool, client, endToEndId);
  if (!payment) throw pixProblem('PixNaoEncontrado');
  return { status: 200, body: presentPayment(payment, await findRefunds(options.pool, [endToEndId])) };
}

/** The query parameters that every list has. */
export const periodFields = {
  inicio: z.iso.datetime({ offset: true }),
  fim: z.iso.datetime({ offset: true }),
  'paginacao.paginaAtual': z.coerce.number().int().min(0).default(0),
  'paginacao.itensPorPagina': z.coerce.number().int().min(1).max(1_000).default(100),
};

const querySchema = z.object({
  ...periodFields,
  txid: z.string().optional(),
  txIdPresente: z.enum(['true', 'false']).optional(),
  devolucaoPresente: z.enum(['true', 'false']).optional(),
});

/** Returns the period. Throws a 400 Problem of this type when it ends before it begins. */
export function requireOrder<T extends { inicio: string; fim: string }>(
  period: T,
  problem: Parameters<typeof pixProblem>[0] = 'PixConsultaInvalida',
): T {
  if (new Date(period.fim) >= new Date(period.inicio)) return period;
  const violacoes = [
    { razao: 'O timestamp representado pelo parâmetro fim é anterior ao inicio.', propriedade: 'fim' },
  ];
  throw pixProblem(problem, { violacoes });
}

/** GET /pix: the payments that this receiver got in a period, oldest first, by pages. */
export async function listPayments(
  options: SandboxOptions,
  client: SandboxClient,
  query: URLSearchParams,
): Promise<Reply> {
  if (await isQuerySilenced(options.pool)) return SILENCE;
  const checked = check(querySchema, Object.fromEntries(query), 'pix');
  if (!checked.ok) throw pixProblem('PixConsultaInvalida', { violacoes: checked.violacoes });
  const { inicio, fim, txid, txIdPresente, devolucaoPresente, ...paginacao } = requireOrder(checked.value);
  const { 'paginacao.paginaAtual': paginaAtual, 'paginacao.itensPorPagina': itensPorPagina } = paginacao;
  const asBoolean = (value: string | undefined) => (value === undefined ? null : value === 'true');
  const { rows } = await options.pool.query<ListedPayment & { total: string }>({
    name: 'sandbox_list_payments',
    text: `SELECT ${PAYMENT_COLUMNS}, has_refunds, count(*) OVER () AS total
           FROM sandbox.payments p, LATERAL (
             SELECT EXISTS (SELECT FROM sandbox.refunds r WHERE r.end_to_end_id = p.end_to_end_id) AS has_refunds
           ) AS refunds
           WHERE document = $1 AND paid_at >= $2 AND paid_at <= $3 AND ($4::text IS NULL OR txid = $4)
             AND ($5::boolean IS NULL OR (txid IS NOT NULL) = $5)
             AND ($6::boolean IS NULL OR $6 = has_refunds)
           ORDER BY paid_at, end_to_end_id LIMIT $7 OFFSET $8`,
    values: [
      client.document,
      inicio,
      fim,
      txid ?? null,
      asBoolean(txIdPresente),
      asBoolean(devolucaoPresente),
      itensPorPagina,
      paginaAtual * itensPorPagina,
    ],
  });
  const quantidadeTotalDeItens = Number(rows[0]?.total ?? 0);
  const quantidadeDePaginas = Math.max(1, Math.ceil(quantidadeTotalDeItens / itensPorPagina));
  return {
    status: 200,
    body: {
      parametros: {
        inicio,
        fim,
        txid,
        txIdPresente: asBoolean(txIdPresente) ?? undefined,
        devolucaoPresente: asBoolean(devolucaoPresente) ?? undefined,
        paginacao: { paginaAtual, itensPorPagina, quantidadeDePaginas, quantidadeTotalDeItens },
      },
      pix: await presentPayments(options.pool, rows),
    },
  };
}

/**
 * Returns a payment of this receiver, or null; `FOR UPDATE` locks it until the end of the
 * transaction.
 */
export async function findPayment(
  db: Pool | ClientBase,
  client: SandboxClient,
  endToEndId: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Payment | null> {
  if (!END_TO_END_ID.test(endToEndId)) return null;
  const { rows } = await db.query<Payment>({
    name: lock ? 'sandbox_lock_payment' : 'sandbox_find_payment',
    text: `SELECT ${PAYMENT_COLUMNS} FROM sandbox.payments WHERE end_to_end_id = $1 AND document = $2 ${lock}`,
    values: [endToEndId, client.document],
  });
  return rows[0] ?? null;
}

/** A payment of a list; `has_refunds`: whether it has devoluções. */
export type ListedPayment = Payment & { has_refunds: boolean };

/** Schema Pix, of several payments. */
export async function presentPayments(pool: Pool, payments: ListedPayment[]) {
  const refunded = payments.filter((payment) => payment.has_refunds).map((payment) => payment.end_to_end_id);
  const found = refunded.length > 0 ? await findRefunds(pool, refunded) : [];
  const refunds = Map.groupBy(found, (refund) => refund.end_to_end_id);
  return payments.map((payment) => presentPayment(payment, refunds.get(payment.end_to_end_id)));
}

/** Schema Pix. */
export function presentPayment(payment: Payment, refunds: Refund[] = []) {
  return {
    endToEndId: payment.end_to_end_id,
    txid: payment.txid ?? undefined,
    valor: toDecimal(BigInt(payment.amount_centavos)),
    chave: payment.chave,
    horario: payment.paid_at.toISOString(),
    infoPagador: payment.payer_note ?? undefined,
    devolucoes: refunds.length > 0 ? refunds.map(presentRefund) : undefined,
  };
}
