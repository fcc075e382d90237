import type pg from 'pg';
import { toStorableJsonText } from '#domain/values/storable-text.ts';

/** A call to a provider about a transaction. Its bodies are masked before they come here. */
export type NewProviderCall = {
  transactionId: string;
  rail: string;
  operation: string;
  method: string;
  target: string;
  status: number | null;
  /** `silent`: no answer came. */
  outcome: 'done' | 'rejected' | 'failed' | 'silent';
  durationMs: number;
  requestBody: string | null;
  responseBody: string | null;
  at: Date;
};

export type ProviderCallRow = Omit<NewProviderCall, 'transactionId'> & { id: bigint };

/**
 * Writes them all in one statement, in their order; text in them that can't be stored is replaced.
 */
export async function insertProviderCalls(db: pg.Pool, calls: readonly NewProviderCall[]): Promise<void> {
  await db.query({
    name: 'insert-provider-calls',
    text: `INSERT INTO provider_calls
        (transaction_id, rail, operation, method, target, status, outcome, duration_ms, request_body, response_body, at)
      SELECT c."transactionId", c.rail, c.operation, c.method, c.target, c.status, c.outcome, c."durationMs", c."requestBody",
        c."responseBody", c.at
      FROM ROWS FROM (jsonb_to_recordset($1) AS ("transactionId" uuid, rail text, operation text, method text, target text,
        status integer, outcome text, "durationMs" double precision, "requestBody" text, "responseBody" text, at timestamptz))
        WITH ORDINALITY AS c ("transactionId", rail, operation, method, target, status, outcome, "durationMs", "requestBody",
        "responseBody", at, n) ORDER BY c.n`,
    values: [toStorableJsonText(calls)],
  });
}

/** The last `limit` calls about a transaction, oldest first. */
export async function findProviderCalls(db: pg.Pool, transactionId: string, limit: number): Promise<ProviderCallRow[]> {
  const { rows } = await db.query<ProviderCallRow>({
    name: 'find-provider-calls',
    text: `SELECT id, rail, operation, method, target, status, outcome, duration_ms AS "durationMs",
        request_body AS "requestBody", response_body AS "responseBody", at
      FROM (SELECT * FROM provider_calls WHERE transaction_id = $1 ORDER BY id DESC LIMIT $2) AS latest ORDER BY id`,
    values: [transactionId, limit],
  });
  return rows;
}

export type RailCalls = {
  rail: string;
  calls: number;
  /** That got no answer, or one that says that the provider failed. */
  failures: number;
  lastAnswerAt: Date | null;
  lastFailureAt: Date | null;
  /** What the last failure was about, and its HTTP status: 0 where no answer came. */
  failedOperation: string | null;
  failedStatus: number | null;
};

const FAILED = `FILTER (WHERE outcome IN ('failed', 'silent'))`;

/**
 * Counts the outcomes of calls since an instant by rail: of the newest `limit` calls of all rails.
 */
export async function countRailCalls(db: pg.Pool, since: Date, limit: number): Promise<RailCalls[]> {
  const { rows } = await db.query<RailCalls>(
    `SELECT rail, count(*)::int AS calls, (count(*) ${FAILED})::int AS failures,
       max(at) FILTER (WHERE outcome NOT IN ('failed', 'silent')) AS "lastAnswerAt", max(at) ${FAILED} AS "lastFailureAt",
       (array_agg(operation ORDER BY at DESC) ${FAILED})[1] AS "failedOperation",
       (array_agg(coalesce(status, 0) ORDER BY at DESC) ${FAILED})[1] AS "failedStatus"
     FROM (SELECT rail, operation, status, outcome, at FROM provider_calls WHERE at >= $1 ORDER BY at DESC LIMIT $2) AS newest
     GROUP BY rail ORDER BY rail`,
    [since, limit],
  );
  return rows;
}

/** Deletes at most `limit` calls that are older than `before`; returns how many. */
export async function deleteProviderCalls(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM provider_calls WHERE id IN (SELECT id FROM provider_calls WHERE at < $1 ORDER BY at LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}
