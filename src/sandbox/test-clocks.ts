/**
 * Time of their own for some of what the providers keep: a request that names a clock is answered
 * by it, and what is planned meanwhile happens by it. No real provider has this; API Pix and Plisio
 * know nothing of the header.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';

/** The clock that a request is of: an id that its sender has chosen. */
export const CLOCK_HEADER = 'x-sandbox-clock';

/** `aheadMs`: how much later it is by this clock than by the sandbox's own. */
export type TestClock = { id: string; aheadMs: number };

/**
 * What a clock takes in as its own; `subjects`: txids of charges, order numbers without hyphens.
 */
export type ClockOrder = { id: string; now: Date; subjects: string[] };

/** Of one order: a list that a statement takes easily; more come with further orders. */
const SUBJECTS_MAX = 1_000;

const current = new AsyncLocalStorage<TestClock>();

/** Does `work` by a clock; null: by the sandbox's own. */
export const byClock = <T>(clock: TestClock | null, work: () => T): T => (clock ? current.run(clock, work) : work());

/** The clock of what is being done; null: the sandbox's own. */
export const currentClockId = (): string | null => current.getStore()?.id ?? null;

/** The time of what is being done, out of the sandbox's own. */
export const currentTime = (own: () => Date) => (): Date =>
  new Date(own().getTime() + (current.getStore()?.aheadMs ?? 0));

/** When it is `instant`, an instant of the current clock, by the sandbox's own. */
export const toOwnTime = (instant: Date): Date => new Date(instant.getTime() - (current.getStore()?.aheadMs ?? 0));

/** A clock by its id; null where it was never set. */
export async function findClock(db: Pool | ClientBase, id: string | null): Promise<TestClock | null> {
  if (id === null) return null;
  const { rows } = await db.query<{ id: string; aheadMs: string }>({
    name: 'sandbox_find_clock',
    text: 'SELECT id, ahead_ms::text AS "aheadMs" FROM sandbox.clocks WHERE id = $1',
    values: [id],
  });
  return rows[0] ? { id, aheadMs: Number(rows[0].aheadMs) } : null;
}

/** The clock of a charge or an invoice, for whoever names it without one. */
export async function findClockOf(pool: Pool, subject: string): Promise<TestClock | null> {
  const { rows } = await pool.query<{ id: string; aheadMs: string }>({
    name: 'sandbox_find_clock_of',
    text: `SELECT c.id, c.ahead_ms::text AS "aheadMs"
           FROM sandbox.clock_subjects s JOIN sandbox.clocks c ON c.id = s.clock_id WHERE s.subject = $1`,
    values: [subject.includes('\0') ? '' : subject],
  });
  return rows[0] ? { id: rows[0].id, aheadMs: Number(rows[0].aheadMs) } : null;
}

/** Notes that a charge or an invoice is of the current clock, if there is one. */
export async function noteSubject(db: ClientBase, subject: string): Promise<void> {
  const id = currentClockId();
  if (id === null) return;
  await db.query('INSERT INTO sandbox.clock_subjects (subject, clock_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    subject,
    id,
  ]);
}

export const clockOrder = z.object({
  id: z.uuid(),
  now: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  subjects: z
    .array(z.string().regex(/^[0-9a-zA-Z]{1,35}$/))
    .max(SUBJECTS_MAX)
    .default([]),
});

/**
 * Sets a clock to `now`, unless it is later by it already, and makes what is named its own, with
 * what is planned of it.
 */
export async function setClock(pool: Pool, { id, now, subjects }: ClockOrder, own: Date): Promise<TestClock> {
  const { rows } = await pool.query<{ aheadMs: string }>(
    `INSERT INTO sandbox.clocks (id, ahead_ms) VALUES ($1, greatest($2::bigint, 0))
     ON CONFLICT (id) DO UPDATE SET ahead_ms = greatest(clocks.ahead_ms, excluded.ahead_ms)
     RETURNING ahead_ms::text AS "aheadMs"`,
    [id, now.getTime() - own.getTime()],
  );
  if (subjects.length > 0) await takeIn(pool, id, subjects);
  return { id, aheadMs: Number(rows[0]?.aheadMs ?? 0) };
}

async function takeIn(pool: Pool, id: string, subjects: string[]): Promise<void> {
  await pool.query(
    `WITH noted AS (
       INSERT INTO sandbox.clock_subjects (subject, clock_id) SELECT unnest($2::text[]), $1 ON CONFLICT DO NOTHING
     ), payments AS (
       SELECT end_to_end_id FROM sandbox.payments WHERE txid = ANY ($2)
     ), invoices AS (
       SELECT id FROM sandbox.crypto_invoices WHERE replace(order_number, '-', '') = ANY ($2)
     ), disputes AS (
       SELECT id FROM sandbox.disputes WHERE end_to_end_id IN (SELECT end_to_end_id FROM payments)
     )
     UPDATE sandbox.due_steps SET clock_id = $1 WHERE clock_id IS NULL AND (
       step ->> 'txid' = ANY ($2)
       OR step ->> 'endToEndId' IN (SELECT end_to_end_id FROM payments)
       OR step ->> 'invoiceId' IN (SELECT id FROM invoices)
       OR step ->> 'kind' = 'decide_dispute' AND step ->> 'id' IN (SELECT id FROM disputes))`,
    [id, subjects],
  );
}

/** When the next thing happens by a clock; null: nothing is planned. */
export async function findNextStep(pool: Pool, id: string): Promise<Date | null> {
  const { rows } = await pool.query<{ dueAt: Date | null }>(
    'SELECT min(due_at) AS "dueAt" FROM sandbox.due_steps WHERE clock_id = $1',
    [id],
  );
  return rows[0]?.dueAt ?? null;
}

/** Part of CREATE_TABLES. */
export const CREATE_CLOCK_TABLES = `
CREATE TABLE IF NOT EXISTS sandbox.clocks (
  id uuid PRIMARY KEY,
  ahead_ms bigint NOT NULL CHECK (ahead_ms >= 0)
);

-- Of which clock a charge or an invoice is; one without a row is of the sandbox's own.
CREATE TABLE IF NOT EXISTS sandbox.clock_subjects (
  subject text PRIMARY KEY,
  clock_id uuid NOT NULL REFERENCES sandbox.clocks
);

ALTER TABLE sandbox.due_steps ADD COLUMN IF NOT EXISTS clock_id uuid;
CREATE INDEX IF NOT EXISTS due_steps_clock ON sandbox.due_steps (clock_id, due_at) WHERE clock_id IS NOT NULL;
`;
