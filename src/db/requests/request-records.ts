import type pg from 'pg';
import { toStorableJsonText } from '#domain/values/storable-text.ts';
import { type SearchedRow, searchedPage } from '../connection/searched-page.ts';

/** One REST request that came with a valid key. Its bodies are masked before they come here. */
export type NewRequestRecord = {
  accountId: string;
  keyId: string;
  requestId: string;
  method: string;
  /** With ids; what a query says is masked where it may be private. */
  path: string;
  /** What it is counted under (familyOf). */
  family: string;
  status: number;
  durationMs: number;
  requestBody: string | null;
  responseBody: string | null;
  at: Date;
};

/** As lists have it. `keyName` is null for a key that is gone. */
export type RequestListing = Omit<NewRequestRecord, 'accountId' | 'family' | 'requestBody' | 'responseBody'> & {
  id: bigint;
  keyName: string | null;
};

export type RequestDetails = RequestListing & Pick<NewRequestRecord, 'requestBody' | 'responseBody'>;

/**
 * Writes them all in one statement, in their order, and counts them in their hours; text in them
 * that can't be stored is replaced.
 */
export async function insertRequestRecords(db: pg.Pool, records: readonly NewRequestRecord[]): Promise<void> {
  await db.query({
    name: 'insert-request-records',
    // Counted in one order, so that two processes don't wait for each other's rows in a circle.
    text: `WITH r AS (
        SELECT * FROM ROWS FROM (jsonb_to_recordset($1) AS ("accountId" uuid, "keyId" uuid, "requestId" uuid, method text,
          path text, family text, status integer, "durationMs" double precision, "requestBody" text, "responseBody" text,
          at timestamptz)) WITH ORDINALITY AS given ("accountId", "keyId", "requestId", method, path, family, status,
          "durationMs", "requestBody", "responseBody", at, n)
      ), counted AS (
        INSERT INTO request_counts AS c (hour, family, requests, rejected, failed)
        SELECT date_trunc('hour', at, 'UTC'), family, count(*), count(*) FILTER (WHERE status BETWEEN 400 AND 499),
          count(*) FILTER (WHERE status >= 500)
        FROM r GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (hour, family) DO UPDATE SET requests = c.requests + excluded.requests,
          rejected = c.rejected + excluded.rejected, failed = c.failed + excluded.failed
      )
      INSERT INTO request_records
        (account_id, key_id, request_id, method, path, status, duration_ms, request_body, response_body, at)
      SELECT "accountId", "keyId", "requestId", method, path, status, "durationMs", "requestBody", "responseBody", at
      FROM r ORDER BY n`,
    values: [toStorableJsonText(records)],
  });
}

export type RequestFilter = {
  keyId: string | null;
  method: string | null;
  /** From the first status to the last, both included. */
  statuses: { from: number; to: number } | null;
  /** In the path, in any case; or the id of the request. */
  text: string | null;
  /** Only what is older than the record of this id. */
  before: bigint | null;
  /** Nothing older than this. */
  since: Date;
  limit: number;
  /** How many records are searched for those that match. */
  scan: number;
};

const COLUMNS = `r.id, r.key_id AS "keyId", k.name AS "keyName", r.request_id AS "requestId", r.method, r.path, r.status,
  r.duration_ms AS "durationMs", r.at`;
const WITH_KEY = 'LEFT JOIN api_keys k ON k.id = r.key_id AND k.account_id = r.account_id';

/**
 * An account's requests, newest first: those that match among the next `scan` records. `scanned` is
 * how many there were, and `last` the oldest of them: the search continues from there.
 */
export async function listRequestRecords(
  db: pg.Pool,
  accountId: string,
  filter: RequestFilter,
): Promise<{ requests: RequestListing[]; scanned: number; last: bigint | null }> {
  const { keyId, method, statuses, text, before, since, limit, scan } = filter;
  // A key has an index of its own. The other conditions are checked on no more records than one
  // scan may cost.
  const window = `SELECT * FROM request_records
    WHERE account_id = $1 AND ($2::uuid IS NULL OR key_id = $2) AND ($3::bigint IS NULL OR id < $3) AND at >= $4
    ORDER BY id DESC LIMIT $5`;
  // One statement: a request that arrives between two would have the search continue elsewhere
  // than where it ended.
  const { rows } = await db.query<SearchedRow<RequestListing, bigint>>(
    `SELECT seen.count AS scanned, seen.last, found.*
     FROM (SELECT count(*)::int AS count, min(id) AS last FROM (${window.replace('*', 'id')}) r) AS seen
       LEFT JOIN (
         SELECT ${COLUMNS} FROM (${window}) r ${WITH_KEY}
         WHERE ($6::text IS NULL OR r.method = $6) AND ($7::int IS NULL OR r.status BETWEEN $7 AND $8)
           AND ($9::text IS NULL OR position(lower($9) IN lower(r.path)) > 0 OR r.request_id::text = lower($9))
         ORDER BY r.id DESC LIMIT $10
       ) AS found ON true
     ORDER BY found.id DESC`,
    [accountId, keyId, before, since, scan, method, statuses?.from ?? null, statuses?.to ?? null, text, limit],
  );
  const { found: requests, ...read } = searchedPage(rows);
  return { requests, ...read };
}

/** One request of this account that is not older than `since`, or null. */
export async function findRequestRecord(
  db: pg.Pool,
  { accountId, id, since }: { accountId: string; id: bigint; since: Date },
): Promise<RequestDetails | null> {
  const { rows } = await db.query<RequestDetails>({
    name: 'find-request-record',
    text: `SELECT ${COLUMNS}, r.request_body AS "requestBody", r.response_body AS "responseBody"
      FROM request_records r ${WITH_KEY} WHERE r.id = $1 AND r.account_id = $2 AND r.at >= $3`,
    values: [id, accountId, since],
  });
  return rows[0] ?? null;
}

export type RequestVolume = {
  /** The beginning of the hour. */
  hour: Date;
  /** What was asked for (familyOf). */
  family: string;
  requests: number;
  /** Answered with a status of 400 to 499, and of 500 and above. */
  rejected: number;
  failed: number;
};

/** How many requests of all accounts there were in each hour since the one of an instant. */
export async function findRequestVolume(db: pg.Pool, since: Date): Promise<RequestVolume[]> {
  const { rows } = await db.query<RequestVolume>(
    `SELECT hour, family, requests, rejected, failed FROM request_counts
     WHERE hour >= date_trunc('hour', $1::timestamptz, 'UTC') ORDER BY hour DESC, family`,
    [since],
  );
  return rows;
}

/** Deletes at most `limit` records that are older than `before`; returns how many. */
export async function deleteRequestRecords(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM request_records WHERE id IN (SELECT id FROM request_records WHERE at < $1 ORDER BY at LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Deletes at most `limit` counts of hours that began before `before`; returns how many. */
export async function deleteRequestCounts(db: pg.Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM request_counts WHERE (hour, family) IN (SELECT hour, family FROM request_counts WHERE hour < $1 LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}
