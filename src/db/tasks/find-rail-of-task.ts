import type pg from 'pg';
import type { Task, TaskKind } from './tasks.ts';

/** Where the rail stands whose provider a task of these kinds waits for; others wait for none. */
const RAIL_OF: Partial<Record<TaskKind, string>> = {
  process_callback: 'SELECT rail FROM inbound_callbacks WHERE id = $1',
  sync_charge: 'SELECT rail FROM transactions WHERE id = $1',
  sync_invoice: 'SELECT rail FROM transactions WHERE id = $1',
  payout: 'SELECT rail FROM transactions WHERE id = $1',
  refund: 'SELECT x.rail FROM refunds r JOIN transactions x ON x.id = r.transaction_id WHERE r.id = $1',
  return_payment: 'SELECT rail FROM payment_returns WHERE id = $1',
  send_dispute_answer: 'SELECT x.rail FROM disputes d JOIN transactions x ON x.id = d.transaction_id WHERE d.id = $1',
  sweep: 'SELECT rail FROM sweeps WHERE id = $1',
  reconcile_day: 'SELECT rail FROM reconciled_days WHERE id = $1',
};

/** The rail whose provider a task waits for; null: it waits for none, or what it is for is gone. */
export async function findRailOfTask(db: pg.Pool, { kind, subjectId }: Task): Promise<string | null> {
  const text = RAIL_OF[kind];
  if (text === undefined) return null;
  const { rows } = await db.query<{ rail: string }>({ name: `rail-of-${kind}`, text, values: [subjectId] });
  return rows[0]?.rail ?? null;
}
