import type pg from 'pg';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { type AuditEntry, insertAuditOn } from '../audit/audit.ts';
import { type SearchedRow, searchedPage } from '../connection/searched-page.ts';
import { withTransaction } from '../connection/with-transaction.ts';
import { LEASE_MS } from '../tasks/tasks.ts';

export type CallbackListing = {
  id: string;
  rail: string;
  receivedAt: Date;
  /** Null: it waits for its task. */
  processedAt: Date | null;
  outcome: string | null;
  /** Of its task; null once it is processed. */
  attempts: number | null;
  dueAt: Date | null;
  lastError: string | null;
};

/**
 * `waiting`: not processed yet, or to be processed again. `unmatched`: processed, and nothing that
 * it names is known here, or it could not be read.
 */
export type CallbackState = 'waiting' | 'unmatched';

const COLUMNS = `c.id, c.rail, c.received_at AS "receivedAt", c.processed_at AS "processedAt", c.outcome,
  k.attempts, k.due_at AS "dueAt", k.last_error AS "lastError"`;
const WITH_TASK = `LEFT JOIN tasks k ON k.kind = 'process_callback' AND k.subject_id = c.id`;
/** Of the outcomes that process-callback.ts gives. */
const UNMATCHED = `c.outcome ~ '(unreadable|unknown_)'`;

/**
 * Lists providers' callbacks, newest first: those of `state` among the next `scan` that are older
 * than `before`. `scanned` is how many were read, and `last` the oldest of them, from which the
 * search continues. Waiting ones are found by their tasks: `scanned` is 0 then.
 */
export async function listCallbacks(
  db: pg.Pool,
  filter: { state: CallbackState | null; before: string | null; limit: number; scan: number },
): Promise<{ callbacks: CallbackListing[]; scanned: number; last: string | null }> {
  const { state, limit, scan } = filter;
  const before = filter.before ?? LAST_UUID;
  if (state === 'waiting') {
    const { rows } = await db.query<CallbackListing & { attempts: number; dueAt: Date }>(
      `SELECT ${COLUMNS} FROM inbound_callbacks c
       JOIN tasks k ON k.kind = 'process_callback' AND k.subject_id = c.id AND k.subject_id < $1
       ORDER BY k.subject_id DESC LIMIT $2`,
      [before, limit],
    );
    return { callbacks: rows, scanned: 0, last: null };
  }
  const window = 'SELECT * FROM inbound_callbacks WHERE id < $1 ORDER BY id DESC LIMIT $2';
  // One statement: a callback that arrives between two would have the search continue elsewhere
  // than where it ended.
  const { rows } = await db.query<SearchedRow<CallbackListing, string>>(
    `SELECT seen.count AS scanned, seen.last, found.*
     FROM (SELECT count(*)::int AS count, (array_agg(c.id ORDER BY c.id))[1] AS last FROM (${window.replace('*', 'id')}) c) AS seen
       LEFT JOIN (
         SELECT ${COLUMNS} FROM (${window}) c ${WITH_TASK} WHERE NOT $3 OR ${UNMATCHED} ORDER BY c.id DESC LIMIT $4
       ) AS found ON true
     ORDER BY found.id DESC`,
    [before, scan, state === 'unmatched', limit],
  );
  const { found: callbacks, ...read } = searchedPage(rows);
  return { callbacks, ...read };
}

/**
 * Queues a callback to be processed again, or now if it waits, with the audit, in one commit.
 * `due`: its task is under way, or due within half a minute. `unknown`: there is no such callback.
 */
export async function requeueCallback(
  db: pg.Pool,
  id: string,
  now: Date,
  audit: AuditEntry,
): Promise<'requeued' | 'due' | 'unknown'> {
  return withTransaction(db, async (client) => {
    const { rows } = await client.query<{ queued: boolean }>(
      `WITH found AS (SELECT id FROM inbound_callbacks WHERE id = $1),
        queued AS (
          INSERT INTO tasks (kind, subject_id, due_at) SELECT 'process_callback', id, $2 FROM found
          ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at WHERE tasks.due_at > $3
          RETURNING subject_id)
       SELECT EXISTS (SELECT FROM queued) AS queued FROM found`,
      [id, now, new Date(now.getTime() + LEASE_MS)],
    );
    const [found] = rows;
    if (!found) return 'unknown';
    if (!found.queued) return 'due';
    await insertAuditOn(client, audit);
    return 'requeued';
  });
}
