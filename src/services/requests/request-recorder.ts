import type { Database } from '#db/connection/database.ts';
import { insertBatch } from '#db/connection/insert-batch.ts';
import { sealBodies } from '#db/requests/logged-bodies.ts';
import { insertRequestRecords, type NewRequestRecord } from '#db/requests/request-records.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import type { Log, RecordDropped } from '../deps.ts';
import { familyOf } from './family-of.ts';
import { maskBody, maskPath } from './mask-request.ts';

/** A member who opens the list sees a request at most a second later. */
const WRITE_EVERY_MS = 1_000;
/**
 * How many requests may wait in memory, 4 MiB at most: under more load than this a second the
 * record has gaps, and payments have none. Recording a request costs about a tenth of answering it.
 */
const WAITING_MAX = 500;
/**
 * How many are written in one statement: making its text takes a millisecond, which blocks the
 * process.
 */
const BATCH = 100;
/**
 * A client over its rate limit sends thousands of the same requests: this many a second show it.
 */
const RATE_LIMITED_A_SECOND = 5;
/** Gaps are logged once a minute, not with every write. */
const REPORT_EVERY_MS = 60_000;

/** A request that was answered, with its bodies unmasked: the recorder masks them. */
export type AnsweredRequest = {
  accountId: string;
  keyId: string;
  requestId: string;
  method: string;
  path: string;
  query: string;
  /** The route's template. */
  template: string;
  status: number;
  durationMs: number;
  requestBody: unknown;
  /** A value, or JSON text. */
  responseBody: unknown;
};

export type RequestRecorder = {
  /** Records a request; takes microseconds, and never throws. */
  record(request: AnsweredRequest): void;
  /** Writes what waits, and ends. */
  stop(): Promise<void>;
};

/**
 * Records the requests of an account's keys and the responses, masked, for the merchant to read. It
 * must cost the API nothing: records are written later, and dropped where that fails or there are
 * too many.
 */
export function createRequestRecorder(options: {
  db: Pick<Database, 'pool'>;
  clock: () => Date;
  log: Pick<Log, 'warn'>;
  secretBox: SecretBox;
  observe: (dropped: RecordDropped) => void;
}): RequestRecorder {
  const { db, secretBox, clock, log, observe } = options;
  let waiting: NewRequestRecord[] = [];
  let dropped = 0;
  let failure: unknown;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let rateLimited = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  const drop = (count: number, reason: RecordDropped['reason'], error?: unknown) => {
    dropped += count;
    failure = error ?? failure;
    observe({ kind: 'record_dropped', record: 'request', reason, count });
  };
  const report = () => {
    if (dropped === 0 || (!stopped && performance.now() - reportedAt < REPORT_EVERY_MS)) return;
    log.warn({ dropped, ...(failure !== undefined && { err: failure }) }, 'Requests are missing in the request log.');
    reportedAt = performance.now();
    dropped = 0;
    failure = undefined;
  };
  const write = async () => {
    const records = waiting;
    waiting = [];
    rateLimited = new Map();
    for (let at = 0; at < records.length; at += BATCH) {
      const batch = records.slice(at, at + BATCH);
      const sealed = batch.map((row) => sealBodies(secretBox, 'request', row.requestId, row));
      const outcome = await insertBatch(sealed, (rows) => insertRequestRecords(db.pool, rows));
      if (outcome.dropped > 0) drop(outcome.dropped, 'database', outcome.failure);
    }
    report();
  };
  const writeNext = () => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(() => void writeNext(), WRITE_EVERY_MS).unref();

  return {
    record(request) {
      if (stopped) return;
      if (request.status === 429) {
        const count = (rateLimited.get(request.keyId) ?? 0) + 1;
        rateLimited.set(request.keyId, count);
        if (count > RATE_LIMITED_A_SECOND) return;
      }
      if (waiting.length >= WAITING_MAX) {
        drop(1, 'queue_full');
        return;
      }
      try {
        waiting.push(toRecord(request, clock()));
      } catch (error) {
        drop(1, 'unreadable', error);
      }
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await writeNext();
    },
  };
}

function toRecord(request: AnsweredRequest, at: Date): NewRequestRecord {
  const { accountId, keyId, requestId, method, status, durationMs } = request;
  return {
    accountId,
    keyId,
    requestId,
    method,
    path: maskPath(request),
    family: familyOf(request.template),
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    requestBody: maskBody(request.requestBody),
    responseBody: maskBody(request.responseBody),
    at,
  };
}
