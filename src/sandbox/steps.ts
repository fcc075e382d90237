/**
 * What the sandbox does by itself a little later: a row with a due time, which survives a restart.
 */
import type { ClientBase, Pool } from 'pg';
import type { DisputeMagic } from './pix/magic.ts';

export type Step =
  | { kind: 'pay_charge'; txid: string; chave: string }
  | { kind: 'end_payout'; document: string; idEnvio: string }
  | { kind: 'end_refund'; endToEndId: string; id: string }
  | { kind: 'contest_payment'; endToEndId: string; outcome: DisputeMagic }
  | { kind: 'decide_dispute'; id: string; status: 'ACEITA' | 'REJEITADA' | 'CANCELADA_EFI'; unanswered?: boolean }
  | { kind: 'return_contested'; endToEndId: string; half?: boolean }
  | { kind: 'pay_invoice'; invoiceId: string; share: string }
  | { kind: 'end_invoice'; invoiceId: string };

/** How long a payout or a devolução stays EM_PROCESSAMENTO. */
const PROCESSING_MS = 300;

/** When a payout or a devolução that was asked for now comes to its end. */
export function endOfProcessing(now: Date): Date {
  return new Date(now.getTime() + PROCESSING_MS);
}

export async function planStep(db: Pool | ClientBase, step: Step, dueAt: Date): Promise<void> {
  await db.query({
    name: 'sandbox_plan_step',
    text: 'INSERT INTO sandbox.due_steps (step, due_at) VALUES ($1, $2)',
    values: [JSON.stringify(step), dueAt],
  });
}

/**
 * Takes the step that has been due for longest, or null. Its row is gone once the caller's
 * transaction commits, not before.
 */
export async function takeDueStep(db: ClientBase, now: Date): Promise<Step | null> {
  const { rows } = await db.query<{ step: Step }>({
    name: 'sandbox_take_due_step',
    text: `DELETE FROM sandbox.due_steps WHERE id = (
             SELECT id FROM sandbox.due_steps WHERE due_at <= $1 ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
           ) RETURNING step`,
    values: [now],
  });
  return rows[0]?.step ?? null;
}
