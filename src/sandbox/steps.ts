/**
 * An action that the sandbox takes by itself a little later: a row with a due time, which survives
 * a restart.
 */
import type { ClientBase, Pool } from 'pg';
import type { DisputeMagic } from './pix/magic.ts';
import { currentClockId, type TestClock } from './test-clocks.ts';

export type Step =
  | { kind: 'pay_charge'; txid: string; chave: string }
  | { kind: 'end_payout'; document: string; idEnvio: string }
  | { kind: 'end_refund'; endToEndId: string; id: string }
  | { kind: 'contest_payment'; endToEndId: string; outcome: DisputeMagic }
  | { kind: 'decide_dispute'; id: string; status: 'ACEITA' | 'REJEITADA' | 'CANCELADA_EFI'; unanswered?: boolean }
  | { kind: 'return_contested'; endToEndId: string; half?: boolean }
  | { kind: 'pay_invoice'; invoiceId: string; share: string }
  | { kind: 'end_invoice'; invoiceId: string };

/** Whether no callback reports this step: only the lists of cases and payments show it. */
export const isUnreported = ({ kind }: Step): boolean =>
  kind === 'contest_payment' || kind === 'decide_dispute' || kind === 'return_contested';

/** How long a payout or a devolução stays EM_PROCESSAMENTO. */
const PROCESSING_MS = 300;

/** Returns when a payout or a devolução that is requested now ends. */
export function endOfProcessing(now: Date): Date {
  return new Date(now.getTime() + PROCESSING_MS);
}

/** Stores a step. `dueAt` is an instant of the current clock, by which the step is taken. */
export async function planStep(db: Pool | ClientBase, step: Step, dueAt: Date): Promise<void> {
  await db.query({
    name: 'sandbox_plan_step',
    text: 'INSERT INTO sandbox.due_steps (step, due_at, clock_id) VALUES ($1, $2, $3)',
    values: [JSON.stringify(step), dueAt, currentClockId()],
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
             SELECT id FROM sandbox.due_steps WHERE clock_id IS NULL AND due_at <= $1
             ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
           ) RETURNING step`,
    values: [now],
  });
  return rows[0]?.step ?? null;
}

/** A step of a test clock, and that clock. */
export type ClockStep = { step: Step; clock: TestClock };

/**
 * Takes the step of a test clock, of one or of all, that has been due for longest, or null. `now`
 * is the sandbox's own time. With `wait` it waits for a step that another transaction has taken, so
 * that null means that none is left.
 */
export async function takeDueClockStep(
  db: ClientBase,
  now: Date,
  { clockId, wait }: { clockId: string | null; wait: boolean },
): Promise<ClockStep | null> {
  const { rows } = await db.query<{ step: Step; id: string; aheadMs: string }>(
    `WITH taken AS (
       DELETE FROM sandbox.due_steps WHERE id = (
         SELECT s.id FROM sandbox.due_steps s JOIN sandbox.clocks c ON c.id = s.clock_id
         WHERE ($2::uuid IS NULL OR s.clock_id = $2)
           AND s.due_at <= $1::timestamptz + c.ahead_ms * interval '1 millisecond'
         ORDER BY s.due_at, s.id LIMIT 1 FOR UPDATE OF s ${wait ? '' : 'SKIP LOCKED'}
       ) RETURNING step, clock_id)
     SELECT t.step, c.id, c.ahead_ms::text AS "aheadMs" FROM taken t JOIN sandbox.clocks c ON c.id = t.clock_id`,
    [now, clockId],
  );
  const [row] = rows;
  return row ? { step: row.step, clock: { id: row.id, aheadMs: Number(row.aheadMs) } } : null;
}
