import type pg from 'pg';
import { DISPUTE_STATES, type DisputeState } from '#domain/disputes/dispute-states.ts';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { DISPUTE_COLUMNS, type DisputeRow, OPEN_DISPUTE_FIRST } from './disputes.ts';

export type DisputeFilter = {
  /** Empty: every state. */
  states: readonly DisputeState[];
  /** Only cases older than this one. */
  before: string | null;
  limit: number;
};

/**
 * Cases of an account, newest first. A state is searched for among all of them, without an index:
 * an account has few, because only fraud is contested this way.
 */
export async function listDisputes(db: pg.Pool, accountId: string, filter: DisputeFilter): Promise<DisputeRow[]> {
  const { states, before, limit } = filter;
  const { rows } = await db.query<DisputeRow>({
    name: 'list-disputes',
    text: `SELECT ${DISPUTE_COLUMNS} FROM disputes d
      WHERE d.account_id = $1 AND (d.account_id, d.id) < ($1, $2) AND d.state::text = ANY ($3) ORDER BY d.id DESC LIMIT $4`,
    values: [accountId, before ?? LAST_UUID, states.length > 0 ? states : DISPUTE_STATES, limit],
  });
  return rows;
}

/** Cases of every account that have ended, newest first; an installation has few. */
export async function listEndedDisputes(
  db: pg.Pool,
  { before, limit }: Pick<DisputeFilter, 'before' | 'limit'>,
): Promise<DisputeRow[]> {
  const { rows } = await db.query<DisputeRow>({
    name: 'list-ended-disputes',
    text: `SELECT ${DISPUTE_COLUMNS} FROM disputes d
      WHERE d.id < $1 AND d.state IN ('won', 'cancelled', 'returned') ORDER BY d.id DESC LIMIT $2`,
    values: [before ?? LAST_UUID, limit],
  });
  return rows;
}

/** Whether an account has had a case, ended or not. */
export async function hasDisputes(db: pg.Pool, accountId: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>({
    name: 'has-disputes',
    text: 'SELECT EXISTS (SELECT FROM disputes WHERE account_id = $1) AS found',
    values: [accountId],
  });
  return rows[0]?.found ?? false;
}

export type AwaitedAnswers = {
  count: number;
  /** What is contested in all of them. */
  centavos: bigint;
  /** The case whose time ends first, and when. */
  firstId: string;
  firstAnswerBy: Date;
};

/** An account's cases that wait for its answer, together; null: there is none. */
export async function findAwaitedAnswers(db: pg.Pool, accountId: string, now: Date): Promise<AwaitedAnswers | null> {
  const { rows } = await db.query<AwaitedAnswers>({
    name: 'find-awaited-answers',
    text: `SELECT d.id AS "firstId", d.answer_by AS "firstAnswerBy",
        (count(*) OVER ())::integer AS count, (sum(d.centavos) OVER ())::bigint AS centavos
      FROM disputes d WHERE d.account_id = $1 AND d.state = 'open' AND d.answer_by > $2 ORDER BY d.answer_by LIMIT 1`,
    values: [accountId, now],
  });
  return rows[0] ?? null;
}

/** The case about a payment that has not ended, else the newest; null: it was never contested. */
export async function findDisputeOf(db: pg.Pool, transactionId: string): Promise<DisputeRow | null> {
  const { rows } = await db.query<DisputeRow>({
    name: 'find-dispute-of',
    text: `SELECT ${DISPUTE_COLUMNS} FROM disputes d WHERE d.transaction_id = $1
      ORDER BY ${OPEN_DISPUTE_FIRST} LIMIT 1`,
    values: [transactionId],
  });
  return rows[0] ?? null;
}
