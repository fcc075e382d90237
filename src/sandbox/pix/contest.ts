/**
 * Disputes that the cents of a paid charge start under the central bank's return mechanism (MED): a
 * case is opened and decided, and the money goes back, without a callback. Each step comes a minute
 * after the one before; a case that waits for an answer is decided when the time for it ends.
 */
import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { planStep, type Step } from '../steps.ts';
import { disputeMagic } from './magic.ts';
import { findRefunds, returnAtPsp } from './refund-records.ts';

const MINUTE_MS = 60_000;
/**
 * The time from a payment to its case, from the case or its answer to the decision, and from there
 * to the return.
 */
const MOMENT_MS = MINUTE_MS;
/** How long a case accepts an answer: the longest that PSPs allow (MED 2.0, press). */
const ANSWER_WITHIN_MS = 5 * 24 * 60 * MINUTE_MS;

const aMomentAfter = (now: Date) => new Date(now.getTime() + MOMENT_MS);

/** Plans the dispute that the cents of a charge ask for, in the transaction of its payment. */
export async function planContest(db: ClientBase, endToEndId: string, valor: string, now: Date): Promise<void> {
  const outcome = disputeMagic(valor);
  if (outcome) await planStep(db, { kind: 'contest_payment', endToEndId, outcome }, aMomentAfter(now));
}

/**
 * The payer contests what is left of a payment. Does nothing when nothing is left or a case is
 * open.
 */
export async function contestPayment(
  db: ClientBase,
  { endToEndId, outcome }: Omit<Step & { kind: 'contest_payment' }, 'kind'>,
  now: Date,
): Promise<void> {
  if (outcome === 'returned') return returnContested(db, { endToEndId }, now);
  const payment = await lockRest(db, endToEndId);
  if (!payment || (await isContested(db, endToEndId))) return;
  const id = randomUUID();
  const answerBy = new Date(now.getTime() + ANSWER_WITHIN_MS);
  await db.query(
    `INSERT INTO sandbox.disputes (id, document, end_to_end_id, amount_centavos, status, outcome, opened_at,
       answer_by, updated_at)
     VALUES ($1, $2, $3, $4, 'ABERTA', $5, $6, $7, $6)`,
    [id, payment.document, endToEndId, payment.left, outcome, now, answerBy],
  );
  if (outcome === 'contested') {
    await planStep(db, { kind: 'decide_dispute', id, status: 'ACEITA', unanswered: true }, answerBy);
    return;
  }
  const status = outcome === 'cancelled' ? 'CANCELADA_EFI' : 'ACEITA';
  await planStep(db, { kind: 'decide_dispute', id, status }, aMomentAfter(now));
}

/** Plans the decision on the receiver's answer, in the transaction that stores the answer. */
export async function planDecision(
  db: ClientBase,
  { id, analysis, outcome }: { id: string; analysis: 'aceito' | 'rejeitado'; outcome: string },
  now: Date,
): Promise<void> {
  // The other outcomes are decided whatever the receiver answers.
  if (outcome !== 'contested') return;
  const status = analysis === 'aceito' ? 'ACEITA' : 'REJEITADA';
  await planStep(db, { kind: 'decide_dispute', id, status }, aMomentAfter(now));
}

/** Ends a case; with `unanswered` only if it has no answer. */
export async function decideDispute(
  db: ClientBase,
  { id, status, unanswered = false }: Omit<Step & { kind: 'decide_dispute' }, 'kind'>,
  now: Date,
): Promise<void> {
  const { rows } = await db.query<{ end_to_end_id: string; outcome: string }>(
    `UPDATE sandbox.disputes SET status = $2, decided_at = $4, updated_at = $4
     WHERE id = $1 AND (status = 'ABERTA' OR status = 'EM_DEFESA' AND NOT $3)
     RETURNING end_to_end_id, outcome`,
    [id, status, unanswered, now],
  );
  const decided = rows[0];
  if (!decided || status !== 'ACEITA') return;
  const half = decided.outcome === 'lost_in_part';
  await planStep(db, { kind: 'return_contested', endToEndId: decided.end_to_end_id, half }, aMomentAfter(now));
}

/** Gives the money back: what is left of the payment, or half of it. */
export async function returnContested(
  db: ClientBase,
  { endToEndId, half = false }: Omit<Step & { kind: 'return_contested' }, 'kind'>,
  now: Date,
): Promise<void> {
  const payment = await lockRest(db, endToEndId);
  const centavos = payment && (half ? payment.left / 2n : payment.left);
  if (centavos) await returnAtPsp(db, endToEndId, { centavos, nature: 'MED_FRAUDE', now });
}

/** A payment has at most one open case, which covers all that is left of it. */
async function isContested(db: ClientBase, endToEndId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "SELECT FROM sandbox.disputes WHERE end_to_end_id = $1 AND status IN ('ABERTA', 'EM_DEFESA')",
    [endToEndId],
  );
  return rowCount !== 0;
}

/**
 * Locks a payment as for a requested devolução, and returns what is left of it in centavos; null
 * when nothing is.
 */
async function lockRest(db: ClientBase, endToEndId: string): Promise<{ document: string; left: bigint } | null> {
  const { rows } = await db.query<{ document: string; amount_centavos: string }>(
    'SELECT document, amount_centavos FROM sandbox.payments WHERE end_to_end_id = $1 FOR UPDATE',
    [endToEndId],
  );
  const payment = rows[0];
  if (!payment) return null;
  const taken = (await findRefunds(db, [endToEndId]))
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((sum, refund) => sum + BigInt(refund.amount_centavos), 0n);
  const left = BigInt(payment.amount_centavos) - taken;
  return left > 0n ? { document: payment.document, left } : null;
}
