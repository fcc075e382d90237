/** Devoluções of received PIX: PUT and GET /pix/{e2eid}/devolucao/{id} (API Pix 2.9.0, tag Pix). */
import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { z } from 'zod';
import { withTransaction } from '#db/connection/with-transaction.ts';
import { fromDecimal } from '#domain/values/money.ts';
import { check, parseJson, text } from '../body.ts';
import { pixProblem, type Violation } from '../problems.ts';
import type { SandboxClient, SandboxOptions } from '../sandbox-options.ts';
import { type Reply, SILENCE } from '../sandbox-request.ts';
import { endOfProcessing, planStep, type Step } from '../steps.ts';
import { isQuerySilenced, readSwitch } from '../switches.ts';
import { VALOR } from './cob-request.ts';
import { newReturnId } from './end-to-end-id.ts';
import { findPayment, PAYMENT_COLUMNS, type Payment, presentPayment } from './payments.ts';
import { planCallbacks } from './plan-callbacks.ts';
import { findRefunds, presentRefund, REFUND_COLUMNS, type Refund } from './refund-records.ts';

/** Schema DevolucaoId. */
const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/;
/**
 * How long a payment can be given back (Manual de Fluxos do Processo de Efetivação do Pix,
 * "Devolução").
 */
const REFUNDABLE_DAYS = 90;
const DAY_MS = 86_400_000;
const NO_BALANCE = 'Saldo insuficiente para realizar a devolução.';

/** Schema DevolucaoSolicitada; RETIRADA belongs to Pix Saque, which this PSP does not have. */
const refundRequest = z.object({
  valor: z
    .string()
    .regex(VALOR)
    .refine((valor) => !VALOR.test(valor) || /[1-9]/.test(valor), 'O campo devolucao.valor é zero.'),
  natureza: z.literal('ORIGINAL').optional(),
  descricao: text(140).optional(),
});

/**
 * PUT: 201. The same id with the same amount again answers the existing one; with another amount it
 * is rejected.
 */
export async function putRefund(
  options: SandboxOptions,
  client: SandboxClient,
  endToEndId: string,
  id: string,
  bodyText: string,
): Promise<Reply> {
  const checked = check(refundRequest, parseJson(bodyText), 'devolucao');
  const violacoes = checked.ok ? [] : checked.violacoes;
  if (!REFUND_ID.test(id)) violacoes.push({ razao: 'O campo id não respeita o _schema_.', propriedade: 'id' });
  if (!checked.ok || violacoes.length > 0) throw invalid(...violacoes);
  const { valor, descricao } = checked.value;
  const amountCentavos = fromDecimal(valor) ?? 0n;
  const now = options.clock();

  return withTransaction(options.pool, async (db): Promise<Reply> => {
    // The lock serialises the devoluções of a payment: their sum must not exceed it.
    const payment = await findPayment(db, client, endToEndId, 'FOR UPDATE');
    if (!payment) throw pixProblem('PixNaoEncontrado');
    const refunds = await findRefunds(db, [endToEndId]);
    const existing = refunds.find((refund) => refund.id === id);
    if (existing) {
      if (BigInt(existing.amount_centavos) !== amountCentavos) throw invalid(ID_IN_USE);
      return { status: 201, body: presentRefund(existing) };
    }
    requireRefundable(payment, refunds, amountCentavos, now);

    const mode = await readSwitch(db, 'pix.refund');
    if (mode === 'rejected') throw invalid({ razao: NO_BALANCE, propriedade: 'devolucao.valor' });
    if (mode === 'silent_lost') return SILENCE;
    const isSilent = mode === 'silent_done';
    const { rows } = await db.query<Refund>({
      name: 'sandbox_insert_refund',
      text: `INSERT INTO sandbox.refunds
               (end_to_end_id, id, return_id, amount_centavos, description, status, ends_as, asked_at, settled_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${REFUND_COLUMNS}`,
      values: [
        endToEndId,
        id,
        newReturnId(now),
        amountCentavos,
        descricao ?? null,
        isSilent ? 'DEVOLVIDO' : 'EM_PROCESSAMENTO',
        mode === 'refused' ? 'NAO_REALIZADO' : 'DEVOLVIDO',
        now,
        isSilent ? now : null,
      ],
    });
    if (isSilent) return SILENCE;
    await planStep(db, { kind: 'end_refund', endToEndId, id }, endOfProcessing(now));
    return { status: 201, body: presentRefund(rows[0] as Refund) };
  });
}

/** GET: 200; 404 for an unknown payment or devolução. */
export async function getRefund(
  options: SandboxOptions,
  client: SandboxClient,
  endToEndId: string,
  id: string,
): Promise<Reply> {
  if (await isQuerySilenced(options.pool)) return SILENCE;
  const payment = await findPayment(options.pool, client, endToEndId);
  const refunds = payment ? await findRefunds(options.pool, [endToEndId]) : [];
  const refund = refunds.find((each) => each.id === id);
  if (!refund) throw pixProblem('PixDevolucaoNaoEncontrada');
  return { status: 200, body: presentRefund(refund) };
}

/**
 * Ends a devolução that is EM_PROCESSAMENTO as DEVOLVIDO or NAO_REALIZADO, and plans a callback
 * with the payment and all its devoluções.
 */
export async function endRefund(db: PoolClient, step: Step & { kind: 'end_refund' }, now: Date): Promise<void> {
  const { rows } = await db.query<Payment>({
    name: 'sandbox_end_refund',
    text: `WITH ended AS (
             UPDATE sandbox.refunds SET status = ends_as, settled_at = $3,
               reason = CASE ends_as WHEN 'NAO_REALIZADO' THEN $4 END
             WHERE end_to_end_id = $1 AND id = $2 AND status = 'EM_PROCESSAMENTO' RETURNING end_to_end_id
           )
           SELECT ${PAYMENT_COLUMNS} FROM sandbox.payments JOIN ended USING (end_to_end_id)`,
    values: [step.endToEndId, step.id, now, NO_BALANCE],
  });
  const payment = rows[0];
  if (!payment) return;
  const refunds = await findRefunds(db, [step.endToEndId]);
  const invented = refunds.map((refund) => ({ ...refund, id: randomBytes(16).toString('hex') }));
  const notice = {
    chave: payment.chave,
    entry: presentPayment(payment, refunds),
    forgeries: [presentPayment(payment, invented)],
  };
  await planCallbacks(db, await readSwitch(db, 'pix.callback'), notice, now);
}

const ID_IN_USE: Violation = {
  razao: 'A presente requisição de devolução apresenta um {id} já utilizado por outra requisição de devolução.',
  propriedade: 'id',
};

/**
 * Throws a 400 Problem when the payment is too old or too little of it is left. A devolução that
 * was not carried out does not count.
 */
function requireRefundable(payment: Payment, refunds: Refund[], amountCentavos: bigint, now: Date): void {
  if (now.getTime() - payment.paid_at.getTime() > REFUNDABLE_DAYS * DAY_MS) {
    throw invalid({
      razao: 'A presente requisição de devolução viola a janela de tempo permitida para solicitações de devoluções.',
      propriedade: 'pix.horario',
    });
  }
  const taken = refunds
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((sum, refund) => sum + BigInt(refund.amount_centavos), 0n);
  if (taken + amountCentavos > BigInt(payment.amount_centavos)) {
    throw invalid({
      razao:
        'A presente requisição de devolução, em conjunto com as demais prévias devoluções, se aplicável, excederia o valor do pix originário.',
      propriedade: 'devolucao.valor',
    });
  }
}

const invalid = (...violacoes: Violation[]) => pixProblem('PixDevolucaoInvalida', { violacoes });
