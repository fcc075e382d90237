/** Received PIX: GET /pix/{e2eid} (API Pix 2.9.0, tag Pix), and how a payment looks wherever it is shown. */
import type { Pool } from 'pg';
import { toDecimal } from '#domain/money.ts';
import { pixProblem } from './problems.ts';
import { readSwitch } from './switches.ts';
import { type Reply, type SandboxClient, type SandboxOptions, SILENCE } from './world.ts';

export type Payment = {
  end_to_end_id: string;
  txid: string;
  chave: string;
  /** `pg` hands a bigint over as text. */
  amount_centavos: string;
  paid_at: Date;
  payer_note: string | null;
};

const PAYMENT_COLUMNS = 'end_to_end_id, txid, chave, amount_centavos, paid_at, payer_note';
/** Schema EndToEndId. */
const END_TO_END_ID = /^[a-zA-Z0-9]{32}$/;

/** GET /pix/{e2eid}: one payment that this receiver got. */
export async function getPayment(world: SandboxOptions, client: SandboxClient, endToEndId: string): Promise<Reply> {
  const mode = await readSwitch(world.pool, 'pix.query');
  if (mode === 'timeout') return SILENCE;
  if (mode === 'error') throw pixProblem('ErroInternoDoServidor');
  if (!END_TO_END_ID.test(endToEndId)) throw pixProblem('NaoEncontrado');
  const { rows } = await world.pool.query<Payment>({
    name: 'sandbox_find_payment',
    text: `SELECT ${PAYMENT_COLUMNS} FROM sandbox.payments WHERE end_to_end_id = $1 AND document = $2`,
    values: [endToEndId, client.document],
  });
  if (!rows[0]) throw pixProblem('NaoEncontrado');
  return { status: 200, body: presentPayment(rows[0]) };
}

/** The payments of one charge, oldest first. */
export async function findPayments(pool: Pool, client: SandboxClient, txid: string): Promise<Payment[]> {
  const { rows } = await pool.query<Payment>({
    name: 'sandbox_find_payments',
    text: `SELECT ${PAYMENT_COLUMNS} FROM sandbox.payments WHERE txid = $1 AND document = $2
           ORDER BY paid_at, end_to_end_id`,
    values: [txid, client.document],
  });
  return rows;
}

/** Schema Pix. */
export function presentPayment(payment: Payment) {
  return {
    endToEndId: payment.end_to_end_id,
    txid: payment.txid,
    valor: toDecimal(BigInt(payment.amount_centavos)),
    chave: payment.chave,
    horario: payment.paid_at.toISOString(),
    infoPagador: payment.payer_note ?? undefined,
  };
}
