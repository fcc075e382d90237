/**
 * Clocks of their own for some charges and invoices: a request that names a clock is answered by
 * it, and the steps planned meanwhile are taken by it. No real provider has this; the header is not
 * part of API Pix or Plisio's protocol.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';

/** The header that names a request's clock: an id that its sender has chosen. */
export const CLOCK_HEADER = 'x-sandbox-clock';

/** `aheadMs`: how far this clock is ahead of the sandbox's own, in milliseconds. */
export type TestClock = { id: string; aheadMs: number };

/**
 * Sets a clock to `now` and moves `subjects` to it: txids of charges, ids of payouts (idEnvio),
 * order numbers without hyphens.
 */
export type ClockOrder = { id: string; now: Date; subjects: string[] };

/**
 * The longest list of one order, which a statement handles easily; more subjects need further
 * orders.
 */
const SUBJECTS_MAX = 1_000;

const current = new AsyncLocalStorage<TestClock>();

/** Does `work` by a clock; null means the sandbox's own. */
export const byClock = <T>(clock: TestClock | null, work: () => T): T => (clock ? current.run(clock, work) : work());

/** Returns the id of the current clock; null for the sandbox's own. */
export const currentClockId = (): string | null => current.getStore()?.id ?? null;

/** Returns a function that gives the current clock's time, computed from the sandbox's own. */
export const currentTime = (own: () => Date) => (): Date =>
  new Date(own().getTime() + (current.getStore()?.aheadMs ?? 0));

/** Converts an instant of the current clock to the sandbox's own time. */
export const toOwnTime = (instant: Date): Date => new Date(instant.getTime() - (current.getStore()?.aheadMs ?? 0));

/** Returns a clock by its id; null when it was never set. */
export async function findClock(db: Pool | ClientBase, id: string | null): Promise<TestClock | null> {
  if (id === null) return null;
  const { rows } = await db.query<{ id: string; aheadMs: string }>({
    name: 'sandbox_find_clock',
    text: 'SELECT id, ahead_ms::text AS "aheadMs" FROM sandbox.clocks WHERE id = $1',
    values: [id],
  });
  return rows[0] ? { id, aheadMs: Number(rows[0].aheadMs) } : null;
}

/**
 * Returns the clock of a charge or an invoice, for requests that name no clock; null for the
 * sandbox's own.
 */
export async function findClockOf(pool: Pool, subject: string): Promise<TestClock | null> {
  const { rows } = await pool.query<{ id: string; aheadMs: string }>({
    name: 'sandbox_find_clock_of',
    text: `SELECT c.id, c.ahead_ms::text AS "aheadMs"
           FROM sandbox.clock_subjects s JOIN sandbox.clocks c ON c.id = s.clock_id WHERE s.subject = $1`,
    values: [subject.includes('\0') ? '' : subject],
  });
  return rows[0] ? { id: rows[0].id, aheadMs: Number(rows[0].aheadMs) } : null;
}

/** Records that a charge or an invoice belongs to the current clock, if there is one. */
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
 * Sets a clock to `now`, unless it is later by that clock already: a clock never goes back. Moves
 * the subjects that have no clock to it, with the steps planned for them. `own` is the sandbox's
 * own time.
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
       OR step ->> 'idEnvio' = ANY ($2)
       OR step ->> 'endToEndId' IN (SELECT end_to_end_id FROM payments)
       OR step ->> 'invoiceId' IN (SELECT id FROM invoices)
       OR step ->> 'kind' = 'decide_dispute' AND step ->> 'id' IN (SELECT id FROM disputes))`,
    [id, subjects],
  );
}

/** Counts, for the current clock if there is one, something that no callback reports. */
export async function countUnreported(db: ClientBase): Promise<void> {
  const id = currentClockId();
  if (id === null) return;
  await db.query('UPDATE sandbox.clocks SET unreported = unreported + 1 WHERE id = $1', [id]);
}

/**
 * Returns when the next step of a clock is due, null when none is planned, and how much has
 * happened by it that no callback reports.
 */
export async function findClockState(pool: Pool, id: string): Promise<{ next: Date | null; unreported: number }> {
  const { rows } = await pool.query<{ next: Date | null; unreported: number }>(
    `SELECT (SELECT min(due_at) FROM sandbox.due_steps WHERE clock_id = c.id) AS next, unreported
     FROM sandbox.clocks c WHERE id = $1`,
    [id],
  );
  return rows[0] ?? { next: null, unreported: 0 };
}

/** Part of CREATE_TABLES. */
export const CREATE_CLOCK_TABLES = `
CREATE TABLE IF NOT EXISTS sandbox.clocks (
  id uuid PRIMARY KEY,
  ahead_ms bigint NOT NULL CHECK (ahead_ms >= 0)
);
-- How much has happened by it that no callback reports.
ALTER TABLE sandbox.clocks ADD COLUMN IF NOT EXISTS unreported integer NOT NULL DEFAULT 0;

-- Of which clock a charge or an invoice is; one without a row is of the sandbox's own.
CREATE TABLE IF NOT EXISTS sandbox.clock_subjects (
  subject text PRIMARY KEY,
  clock_id uuid NOT NULL REFERENCES sandbox.clocks
);

ALTER TABLE sandbox.due_steps ADD COLUMN IF NOT EXISTS clock_id uuid;
CREATE INDEX IF NOT EXISTS due_steps_clock ON sandbox.due_steps (clock_id, due_at) WHERE clock_id IS NOT NULL;
`;
