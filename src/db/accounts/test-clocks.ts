import type pg from 'pg';
import type { ClockStop } from '#domain/accounts/test-clock.ts';
import { invalidateAccountCaches } from '../api-keys/api-keys.ts';
import { type AuditEntry, insertAuditOn } from '../audit/audit.ts';
import { batchArrays, batched } from '../connection/batched.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import type { Task, TaskKind } from '../tasks/tasks.ts';

/** How far an account's time is ahead of the service's own, in milliseconds. */
export type ClockAhead = { accountId: string; aheadMs: number };

export type TestClock = ClockAhead & {
  /** The clock's time to which it is being moved; null: it is not being moved. */
  targetAt: Date | null;
  /** Why the last move ended before its target; null: it did not. */
  stoppedWhy: ClockStop | null;
};

type ClockRow = Omit<TestClock, 'aheadMs'> & { aheadMs: bigint };

const COLUMNS =
  'c.account_id AS "accountId", c.ahead_ms AS "aheadMs", c.target_at AS "targetAt", c.stopped_why AS "stoppedWhy"';

const toClock = (row: ClockRow): TestClock => ({ ...row, aheadMs: Number(row.aheadMs) });

/** An account's clock; null where it has the service's own time. */
export async function findTestClock(db: pg.Pool, accountId: string): Promise<TestClock | null> {
  const { rows } = await db.query<ClockRow>({
    name: 'find-test-clock',
    text: `SELECT ${COLUMNS} FROM test_clocks c WHERE c.account_id = $1`,
    values: [accountId],
  });
  return rows[0] ? toClock(rows[0]) : null;
}

type Subject = { kind: TaskKind; subjectId: string };

/** Returns the clock of the account that such a task is about; null when the account has none. */
export const findTestClockOf = batched<Subject, TestClock | null>(async (db, subjects) => {
  const { rows } = await db.query<ClockRow & { at: bigint }>({
    name: 'find-test-clocks-of',
    // Finding a task's account takes as long as ten lookups, and most installations have no clock.
    text: `SELECT asked.at, ${COLUMNS}
      FROM unnest(${batchArrays('text', 'uuid')}) WITH ORDINALITY AS asked (kind, subject_id, at)
        JOIN test_clocks c ON c.account_id = task_account(asked.kind, asked.subject_id)
      WHERE EXISTS (SELECT FROM test_clocks)`,
    values: [subjects.map(({ kind }) => kind), subjects.map(({ subjectId }) => subjectId)],
  });
  const clocks = new Map(rows.map(({ at, ...row }) => [Number(at), toClock(row)]));
  return subjects.map((_, index) => clocks.get(index + 1) ?? null);
});

/** So many requests that moved a clock are known again when they are repeated. */
const RECENT_MOVES_MAX = 100;

/**
 * Asks for a test account's clock to be moved, with the audit, in one commit; the first move
 * creates the clock. `id` names the request: a repeated one moves nothing. `plan` gets how far the
 * clock is ahead now, in milliseconds; what it throws undoes all. `moving`: it is being moved
 * already. `none`: there is no such test account.
 */
export async function askClockMove(
  db: pg.Pool,
  move: { id: string; accountId: string; now: Date },
  plan: (aheadMs: number) => { targetAt: Date; audit: AuditEntry | null },
): Promise<'asked' | 'moving' | 'none'> {
  return withTransaction(db, async (client) => {
    await client.query(
      `INSERT INTO test_clocks (account_id, moved_at) SELECT id, $2 FROM accounts WHERE id = $1 AND mode = 'test'
       ON CONFLICT DO NOTHING`,
      [move.accountId, move.now],
    );
    const { rows } = await client.query<{ targetAt: Date | null; aheadMs: bigint; isKnown: boolean }>(
      `SELECT target_at AS "targetAt", ahead_ms AS "aheadMs", $2 = ANY (recent_moves) AS "isKnown"
       FROM test_clocks WHERE account_id = $1 FOR UPDATE`,
      [move.accountId, move.id],
    );
    const [clock] = rows;
    if (!clock) return 'none';
    if (clock.isKnown) return 'asked';
    if (clock.targetAt) return 'moving';
    const { targetAt, audit } = plan(Number(clock.aheadMs));
    // Cached terms of the account may say that it has no test clock.
    await invalidateAccountCaches(client, move.accountId);
    await client.query(
      `UPDATE test_clocks SET target_at = $2, stopped_why = NULL, moved_at = $3,
         recent_moves = (array_prepend($4::uuid, recent_moves))[1:$5] WHERE account_id = $1`,
      [move.accountId, targetAt, move.now, move.id, RECENT_MOVES_MAX],
    );
    if (audit) await insertAuditOn(client, audit);
    return 'asked';
  });
}

/** How far the clock that is ahead of all others is, in milliseconds; 0 where there is none. */
export async function findFurthestAhead(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ aheadMs: bigint }>(
    'SELECT coalesce(max(ahead_ms), 0) AS "aheadMs" FROM test_clocks',
  );
  return Number(rows[0]?.aheadMs ?? 0);
}

/** Whether any account has a clock of its own. */
export async function hasTestClocks(db: pg.Pool): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>('SELECT EXISTS (SELECT FROM test_clocks) AS found');
  return rows[0]?.found ?? false;
}

/**
 * Reserves for one worker, until `heldUntil`, the clocks that have a task due or are to be moved.
 * Clocks that another worker holds are left out, and those of the accounts in `except`.
 */
export async function holdDueClocks(
  db: pg.Pool,
  hold: { now: Date; holder: string; heldUntil: Date; limit: number; except: readonly string[] },
): Promise<TestClock[]> {
  const { rows } = await db.query<ClockRow>(
    `WITH due AS (
       SELECT account_id FROM test_clocks c
       WHERE c.account_id <> ALL ($5::uuid[]) AND (c.held_until IS NULL OR c.held_until <= $1) AND (c.target_at IS NOT NULL OR EXISTS (
         SELECT FROM tasks t WHERE t.clock_id = c.account_id
           AND t.due_at <= $1::timestamptz + c.ahead_ms * interval '1 millisecond'))
       LIMIT $4 FOR UPDATE SKIP LOCKED)
     UPDATE test_clocks c SET holder = $2, held_until = $3 FROM due WHERE c.account_id = due.account_id
     RETURNING ${COLUMNS}`,
    [hold.now, hold.holder, hold.heldUntil, hold.limit, hold.except],
  );
  return rows.map(toClock);
}

/** Extends a worker's hold on a clock and returns the clock; null when the worker lost it. */
export async function keepHolding(
  db: pg.Pool,
  { accountId, holder, heldUntil }: { accountId: string; holder: string; heldUntil: Date },
): Promise<TestClock | null> {
  const { rows } = await db.query<ClockRow>(
    `UPDATE test_clocks c SET held_until = $3 WHERE c.account_id = $1 AND c.holder = $2 RETURNING ${COLUMNS}`,
    [accountId, holder, heldUntil],
  );
  return rows[0] ? toClock(rows[0]) : null;
}

/** Ends a worker's hold on a clock; nothing where the worker has lost it. */
export async function releaseClock(db: pg.Pool, accountId: string, holder: string): Promise<void> {
  await db.query('UPDATE test_clocks SET holder = NULL, held_until = NULL WHERE account_id = $1 AND holder = $2', [
    accountId,
    holder,
  ]);
}

/** Moves a clock that this worker holds; it never goes back. Returns whether it was still held. */
export async function setClockAhead(
  db: pg.Pool,
  { accountId, holder, aheadMs }: ClockAhead & { holder: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE test_clocks SET ahead_ms = greatest(ahead_ms, $3) WHERE account_id = $1 AND holder = $2',
    [accountId, holder, aheadMs],
  );
  return rowCount === 1;
}

/**
 * Ends the move of a clock that this worker holds. `why`: what ended it before its target, or null.
 */
export async function endClockMove(
  db: pg.Pool,
  { accountId, holder, why, now }: { accountId: string; holder: string; why: ClockStop | null; now: Date },
): Promise<void> {
  await db.query(
    'UPDATE test_clocks SET target_at = NULL, stopped_why = $3, moved_at = $4 WHERE account_id = $1 AND holder = $2',
    [accountId, holder, why, now],
  );
}

/** A task as it was when its account's clock took it in. */
export type TakenTask = { kind: TaskKind; subjectId: string; attempts: number; dueAt: Date };

/**
 * Puts the tasks that an account had before its clock under the clock, and returns them. Tasks that
 * a worker is claiming or ending at this moment are left out; a second call finds what is left of
 * them.
 */
export async function takeInTasks(db: pg.Pool, accountId: string): Promise<TakenTask[]> {
  const { rows } = await db.query<TakenTask>(
    `UPDATE tasks t SET clock_id = $1 FROM (
       SELECT kind, subject_id FROM tasks WHERE clock_id IS NULL AND task_account(kind, subject_id) = $1
       FOR UPDATE SKIP LOCKED) AS own
     WHERE t.kind = own.kind AND t.subject_id = own.subject_id
     RETURNING t.kind, t.subject_id AS "subjectId", t.attempts, t.due_at AS "dueAt"`,
    [accountId],
  );
  return rows;
}

/** Whether one of these tasks is as it was: neither ended nor planned again. */
export async function isTaskUnchanged(db: pg.Pool, tasks: readonly TakenTask[]): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM tasks JOIN unnest($1::text[], $2::uuid[], $3::timestamptz[]) AS was (kind, subject_id, due_at)
         USING (kind, subject_id, due_at)) AS found`,
    [tasks.map(({ kind }) => kind), tasks.map(({ subjectId }) => subjectId), tasks.map(({ dueAt }) => dueAt)],
  );
  return rows[0]?.found ?? false;
}

/** When the account's next task is due, by its clock; null: none is planned. */
export async function findNextDueByClock(db: pg.Pool, accountId: string): Promise<Date | null> {
  const { rows } = await db.query<{ dueAt: Date | null }>(
    'SELECT min(due_at) AS "dueAt" FROM tasks WHERE clock_id = $1',
    [accountId],
  );
  return rows[0]?.dueAt ?? null;
}

/** As claimTasks(), for the tasks of one clock; `now` is the clock's time. */
export async function claimTasksOfClock(
  db: pg.Pool,
  claim: { accountId: string; now: Date; leaseMs: number; limit: number },
): Promise<Task[]> {
  const { rows } = await db.query<Task>(
    `WITH due AS (
        SELECT kind, subject_id FROM tasks WHERE clock_id = $4 AND due_at <= $1
        ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
      UPDATE tasks t SET due_at = $2, attempts = t.attempts + 1 FROM due
      WHERE t.kind = due.kind AND t.subject_id = due.subject_id
      RETURNING t.kind, t.subject_id AS "subjectId", t.attempts, t.due_at AS "leaseUntil"`,
    [claim.now, new Date(claim.now.getTime() + claim.leaseMs), claim.limit, claim.accountId],
  );
  return rows;
}

/** Lists the ids of an account's transactions, the newest first. */
export async function listTransactionIds(db: pg.Pool, accountId: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM transactions WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2',
    [accountId, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Lists the ids of the callbacks of these rails that are not processed yet. One whose processing
 * has failed is left out: it is tried again, perhaps much later.
 */
export async function listWaitingCallbacks(db: pg.Pool, rails: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT t.subject_id AS id FROM tasks t JOIN inbound_callbacks i ON i.id = t.subject_id
     WHERE t.kind = 'process_callback' AND t.last_error IS NULL AND i.rail = ANY ($1)`,
    [rails],
  );
  return rows.map(({ id }) => id);
}

/** Whether one of these callbacks still waits to be processed, and has not failed meanwhile. */
export async function isCallbackWaiting(db: pg.Pool, ids: readonly string[]): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM tasks WHERE kind = 'process_callback' AND last_error IS NULL AND subject_id = ANY ($1)) AS found`,
    [ids],
  );
  return rows[0]?.found ?? false;
}
