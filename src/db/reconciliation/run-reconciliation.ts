import type pg from 'pg';
import { withTransaction } from '../connection/with-transaction.ts';
import { NOT_ACKNOWLEDGED } from './reconciled-days.ts';

export type ReconciliationStep = 'received' | 'returned' | 'sent';

/** The comparison of a large day takes seconds; a task has 30. */
const FINISH_TIMEOUT_MS = 25_000;

/** The run of a day that is under way: when it began, and the page that it reads next. */
export type ReconciliationRun = { id: string; at: Date; step: ReconciliationStep; page: number };

export type DayToReconcile = {
  id: string;
  rail: string;
  /** Whose own credentials it is over; null: the installation's. */
  accountId: string | null;
  /** `BRL` of a PSP; a currency code of a crypto processor. */
  currency: string;
  startsAt: Date;
  /** The first instant after it. */
  endsAt: Date;
  /** Whether all of it was compared before: it differed then. */
  isAgain: boolean;
  run: (ReconciliationRun & { hasBalance: boolean }) | null;
};

/**
 * Something that a provider lists. The amount is the change of what the provider holds, without its
 * fee; both in the smallest unit of the currency.
 */
export type ListedMovement = {
  kind: 'payment' | 'refund' | 'payout';
  /** At a crypto processor its id of the operation. */
  endToEndId: string;
  refundId: string;
  /** Our id, where the provider names it. */
  ownId: string | null;
  returnId: string | null;
  amount: bigint;
  feeAmount: bigint;
  at: Date;
  /** Of a devolução the time of its payment. */
  paidAt: Date;
};

/** Writes a rail's own row, once. What was paid before `since` is not the service's. */
export async function planRail(
  db: pg.Pool,
  rail: { rail: string; accountId: string | null; since: Date },
): Promise<void> {
  await db.query({
    name: 'reconciliation-plan-rail',
    text: 'SELECT reconciliation_plan_rail($1, $2, $3)',
    values: [rail.rail, rail.accountId, rail.since],
  });
}

/**
 * Writes the currencies of a crypto processor that something has moved in since the last call,
 * where they are not there yet.
 */
export async function planCoins(
  db: pg.Pool,
  rail: { rail: string; accountId: string | null; since: Date; now: Date },
): Promise<void> {
  await db.query({
    name: 'reconciliation-plan-coins',
    text: 'SELECT coins_plan_rail($1, $2, $3, $4)',
    values: [rail.rail, rail.accountId, rail.since, rail.now],
  });
}

/**
 * Writes the days up to `last` of a currency of a rail, where they are not there yet, each with its
 * task, due `afterMs` after the day's end. A task that was lost is written again, unless its day is
 * before `oldest`. Days are `YYYY-MM-DD`.
 */
export async function planDays(
  db: pg.Pool,
  plan: { rail: string; currency: string; last: string; oldest: string; afterMs: number; now: Date },
): Promise<void> {
  await db.query({
    name: 'reconciliation-plan-days',
    text: "SELECT reconciliation_plan_days($1, $2, $3, $4, $5 * interval '1 millisecond', $6)",
    values: [plan.rail, plan.currency, plan.last, plan.oldest, plan.afterMs, plan.now],
  });
}

export async function findDayToReconcile(db: pg.Pool, id: string): Promise<DayToReconcile | null> {
  const { rows } = await db.query<{
    rail: string;
    currency: string;
    accountId: string | null;
    startsAt: Date;
    endsAt: Date;
    isAgain: boolean;
    runId: string | null;
    runAt: Date | null;
    runStep: ReconciliationStep | null;
    runPage: number;
    runBalance: bigint | null;
  }>({
    name: 'find-day-to-reconcile',
    text: `SELECT rail, currency, r.account_id AS "accountId", day::timestamp AT TIME ZONE 'America/Sao_Paulo' AS "startsAt",
        (day + 1)::timestamp AT TIME ZONE 'America/Sao_Paulo' AS "endsAt",
        coalesce(read_until >= (day + 1)::timestamp AT TIME ZONE 'America/Sao_Paulo', false) AS "isAgain", run_id AS "runId", run_at AS "runAt",
        run_step AS "runStep", run_page AS "runPage", run_balance_amount AS "runBalance"
      FROM reconciled_days JOIN reconciled_rails r USING (rail, currency) WHERE id = $1`,
    values: [id],
  });
  if (!rows[0]) return null;
  const { rail, currency, accountId, startsAt, endsAt, isAgain, runId, runAt, runStep, runPage, runBalance } = rows[0];
  const run =
    runId !== null && runAt !== null && runStep !== null
      ? { id: runId, at: runAt, step: runStep, page: runPage, hasBalance: runBalance !== null }
      : null;
  return { id, rail, currency, accountId, startsAt, endsAt, isAgain, run };
}

/** Begins a run of a day in place of the one before. False: another one is under way by now. */
export async function beginRun(
  db: pg.Pool,
  run: { dayId: string; before: string | null; id: string; balanceAmount: bigint | null; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ begun: boolean }>({
    name: 'reconciliation-begin',
    text: 'SELECT reconciliation_begin($1, $2, $3, $4, $5) AS begun',
    values: [run.dayId, run.before, run.id, run.balanceAmount, run.now],
  });
  return rows[0]?.begun ?? false;
}

/**
 * The earliest instant at which a payout was sent that the ledger has in a day; `before` where none
 * is earlier.
 */
export async function findSentFrom(db: pg.Pool, day: DayToReconcile, before: Date): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'find-sent-from',
    text: 'SELECT payouts_sent_from($1, $2, $3, $4) AS at',
    values: [day.rail, day.startsAt, day.endsAt, before],
  });
  return rows[0]?.at ?? before;
}

/**
 * When the earliest payment was made of which the ledger has something going back in a day;
 * `before` where none is earlier.
 */
export async function findPaidFrom(db: pg.Pool, day: DayToReconcile, before: Date): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'find-paid-from',
    text: 'SELECT refunds_paid_from($1, $2, $3, $4) AS at',
    values: [day.rail, day.startsAt, day.endsAt, before],
  });
  return rows[0]?.at ?? before;
}

/**
 * When the earliest operation of a crypto processor was made that the ledger has something of in a
 * day; `before` where none is earlier.
 */
export async function findMadeFrom(db: pg.Pool, day: DayToReconcile, before: Date): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'find-made-from',
    text: 'SELECT coins_made_from($1, $2, $3, $4, $5) AS at',
    values: [day.rail, day.currency, day.startsAt, day.endsAt, before],
  });
  return rows[0]?.at ?? before;
}

/**
 * Writes what a page lists and which page is next, in one statement; a page that is written twice
 * counts once. Returns false when another process has done it, or another run is under way.
 */
export async function savePage(
  db: pg.Pool,
  page: {
    dayId: string;
    run: ReconciliationRun;
    movements: readonly ListedMovement[];
    unreadable: number;
    next: { step: ReconciliationStep; page: number };
  },
): Promise<boolean> {
  const { dayId, run, movements, unreadable, next } = page;
  const column = <K extends keyof ListedMovement>(name: K) => movements.map((one) => one[name]);
  const { rowCount } = await db.query({
    name: 'save-reconciliation-page',
    text: `WITH moved AS (
        UPDATE reconciled_days SET run_step = $5::reconciliation_step, run_page = $6, run_unreadable = run_unreadable + $7
        WHERE id = $1 AND run_id = $2 AND run_step = $3::reconciliation_step AND run_page = $4 RETURNING run_id),
      written AS (
        INSERT INTO listed_movements (run_id, kind, end_to_end_id, refund_id, own_id, return_id, amount, fee_amount, at, paid_at)
        SELECT moved.run_id, l.* FROM moved, unnest($8::text[], $9::text[], $10::text[], $11::uuid[], $12::text[],
          $13::bigint[], $14::bigint[], $15::timestamptz[], $16::timestamptz[]) AS l
        ON CONFLICT DO NOTHING)
      SELECT FROM moved`,
    values: [
      ...[dayId, run.id, run.step, run.page, next.step, next.page, unreadable],
      ...[column('kind'), column('endToEndId'), column('refundId'), column('ownId'), column('returnId')],
      ...[column('amount'), column('feeAmount'), column('at'), column('paidAt')],
    ],
  });
  return rowCount === 1;
}

export type RunOutcome = {
  unexplainedAmount: bigint;
  unreadable: number;
  isAcknowledged: boolean;
  /** The digest of what was acknowledged of the day, where it is something else; null: nothing. */
  acknowledgedBefore: string | null;
};

/**
 * Compares what a run has read with the ledger and writes the outcome. Null: another run is under
 * way. The days of a rail are finished one after another: each writes into those beside it what the
 * balance has changed by, from what they were.
 */
export async function finishRun(
  db: pg.Pool,
  run: { dayId: string; id: string; itemsMax: number; now: Date },
): Promise<RunOutcome | null> {
  return withTransaction(db, async (client) => {
    await client.query(`SET LOCAL statement_timeout = '${FINISH_TIMEOUT_MS}ms'`);
    await client.query(`SET LOCAL lock_timeout = '${FINISH_TIMEOUT_MS}ms'`);
    await client.query({
      name: 'reconciliation-lock-rail',
      text: `SELECT FROM reconciled_rails r JOIN reconciled_days d USING (rail, currency)
        WHERE d.id = $1 FOR NO KEY UPDATE OF r`,
      values: [run.dayId],
    });
    const { rows } = await client.query<{ unexplainedAmount: bigint; unreadable: number }>({
      name: 'reconciliation-finish',
      text: `SELECT left_unexplained AS "unexplainedAmount", left_unreadable AS unreadable
        FROM reconciliation_finish($1, $2, $3, $4)`,
      values: [run.dayId, run.id, run.itemsMax, run.now],
    });
    const [outcome] = rows;
    if (!outcome) return null;
    const differing = await client.query<{ acknowledgedBefore: string | null }>({
      name: 'reconciliation-not-acknowledged',
      text: `SELECT d.acknowledged_differences AS "acknowledgedBefore" FROM reconciled_days d
        WHERE d.id = $1 AND ${NOT_ACKNOWLEDGED}`,
      values: [run.dayId],
    });
    const [row] = differing.rows;
    return { ...outcome, isAcknowledged: !row, acknowledgedBefore: row?.acknowledgedBefore ?? null };
  });
}

/**
 * Deletes at most `limit` entries that were read by runs which began before an instant, or which
 * another one has replaced; returns how many. A run that is abandoned, or stopped while it saves a
 * page, leaves some.
 */
export async function deleteAbandonedPages(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM listed_movements WHERE ctid = ANY (ARRAY(
      SELECT l.ctid FROM listed_movements l
      WHERE NOT EXISTS (SELECT FROM reconciled_days d WHERE d.run_id = l.run_id AND d.run_at >= $1)
      LIMIT $2))`,
    [before, limit],
  );
  return rowCount ?? 0;
}
