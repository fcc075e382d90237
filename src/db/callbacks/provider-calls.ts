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
 * Writes them all in one statement, in their order, and counts them in their hours; text in them
 * that can't be stored is replaced.
 */
export async function insertProviderCalls(db: pg.Pool, calls: readonly NewProviderCall[]): Promise<void> {
  await db.query({
    name: 'insert-provider-calls',
    // Counted in one order, so that two processes don't wait for each other's rows in a circle.
    text: `WITH c AS (
        SELECT *, outcome IN ('failed', 'silent') AS "isFailure"
        FROM ROWS FROM (jsonb_to_recordset($1) AS ("transactionId" uuid, rail text, operation text, method text, target text,
          status integer, outcome text, "durationMs" double precision, "requestBody" text, "responseBody" text, at timestamptz))
          WITH ORDINALITY AS given ("transactionId", rail, operation, method, target, status, outcome, "durationMs",
          "requestBody", "responseBody", at, n)
      ), counted AS (
        INSERT INTO provider_call_counts AS known
          (hour, rail, calls, failures, last_answer_at, last_failure_at, failed_operation, failed_status)
        SELECT date_trunc('hour', at, 'UTC'), rail, count(*), count(*) FILTER (WHERE "isFailure"),
          max(at) FILTER (WHERE NOT "isFailure"), max(at) FILTER (WHERE "isFailure"),
          (array_agg(operation ORDER BY at DESC, n DESC) FILTER (WHERE "isFailure"))[1],
          (array_agg(coalesce(status, 0) ORDER BY at DESC, n DESC) FILTER (WHERE "isFailure"))[1]
        FROM c GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (hour, rail) DO UPDATE SET calls = known.calls + excluded.calls, failures = known.failures + excluded.failures,
          last_answer_at = greatest(known.last_answer_at, excluded.last_answer_at),
          (last_failure_at, failed_operation, failed_status) = (SELECT at, operation, status FROM (VALUES
              (excluded.last_failure_at, excluded.failed_operation, excluded.failed_status),
              (known.last_failure_at, known.failed_operation, known.failed_status)) AS one (at, operation, status)
            ORDER BY at DESC NULLS LAST LIMIT 1)
      )
      INSERT INTO provider_calls
        (transaction_id, rail, operation, method, target, status, outcome, duration_ms, request_body, response_body, at)
      SELECT "transactionId", rail, operation, method, target, status, outcome, "durationMs", "requestBody", "responseBody", at
      FROM c ORDER BY n`,
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

/** The outcomes of calls by rail, in the hours since the one of an instant. */
export async function findRailCalls(db: pg.Pool, since: Date): Promise<RailCalls[]> {
  const { rows } = await db.query<RailCalls>(
    `SELECT rail, sum(calls)::int AS calls, sum(failures)::int AS failures,
       max(last_answer_at) AS "lastAnswerAt", max(last_failure_at) AS "lastFailureAt",
       (array_agg(failed_operation ORDER BY last_failure_at DESC NULLS LAST))[1] AS "failedOperation",
       (array_agg(failed_status ORDER BY last_failure_at DESC NULLS LAST))[1] AS "failedStatus"
     FROM provider_call_counts WHERE hour >= date_trunc('hour', $1::timestamptz, 'UTC') GROUP BY rail ORDER BY rail`,
    [since],
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

/** Deletes at most `limit` counts of hours that began before `before`; returns how many. */
export async function deleteProviderCallCounts(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM provider_call_counts
     WHERE (hour, rail) IN (SELECT hour, rail FROM provider_call_counts WHERE hour < $1 LIMIT $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}
