import { insertProviderCalls, type NewProviderCall } from '#db/callbacks/provider-calls.ts';
import type { Database } from '#db/connection/database.ts';
import { insertBatch } from '#db/connection/insert-batch.ts';
import { sealBodies } from '#db/requests/logged-bodies.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { cutText } from '#domain/values/storable-text.ts';
import type { ProviderCall } from '#rails/call-trace.ts';
import type { Log, RecordDropped } from '../deps.ts';
import { maskProviderCall } from './mask-provider-call.ts';

/** A member who opens a transaction sees its calls a second later. */
const WRITE_EVERY_MS = 1_000;
/**
 * How many calls may wait in memory, in 4 MiB at most: with more calls a second than this the
 * record has gaps, but payments are not slowed down.
 */
const WAITING_MAX = 1_000;
/**
 * Masking takes some 30 µs a call, in which nothing else runs: a request waits for at most this
 * many of them.
 */
const AT_ONCE = 100;
/** Characters of a call's address that are kept: enough to recognise it. */
const TARGET_LENGTH_MAX = 300;

type Waiting = { exchange: ProviderCall; at: Date };

export type ProviderCallRecorder = {
  /** Queues a call to be written; takes microseconds, and never throws. */
  record(exchange: ProviderCall): void;
  /** Writes what waits; calls after this are not recorded. */
  stop(): Promise<void>;
};

/**
 * Records calls to providers and their answers, masked, for the merchant to read. It must not slow
 * payments down: calls are masked and written later, a hundred in one statement, and dropped where
 * that fails or there are too many.
 */
export function createProviderCallRecorder(options: {
  db: Pick<Database, 'pool'>;
  clock: () => Date;
  log: Pick<Log, 'warn'>;
  secretBox: SecretBox;
  observe: (dropped: RecordDropped) => void;
}): ProviderCallRecorder {
  const { db, secretBox, clock, log, observe } = options;
  let waiting: Waiting[] = [];
  let dropped = 0;
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  const drop = (count: number, reason: RecordDropped['reason']) =>
    observe({ kind: 'record_dropped', record: 'provider_call', reason, count });
  const toSealedRows = (call: Waiting) => {
    try {
      const row = toRow(call);
      return [sealBodies(secretBox, 'call', row.transactionId, row)];
    } catch (err) {
      log.warn({ err, dropped: 1 }, 'A provider call could not be masked.');
      drop(1, 'unreadable');
      return [];
    }
  };
  const write = async () => {
    const batch = waiting;
    const missed = dropped;
    waiting = [];
    dropped = 0;
    if (missed > 0) drop(missed, 'queue_full');
    if (missed > 0) log.warn({ dropped: missed }, 'Too many provider calls to record them all.');
    for (let written = 0; written < batch.length; written += AT_ONCE) {
      const rows = batch.slice(written, written + AT_ONCE).flatMap(toSealedRows);
      const outcome = await insertBatch(rows, (part) => insertProviderCalls(db.pool, part));
      if (outcome.dropped === 0) continue;
      drop(outcome.dropped, 'database');
      log.warn({ err: outcome.failure, dropped: outcome.dropped }, 'Provider calls could not be recorded.');
    }
  };
  const writeNext = () => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(() => void writeNext(), WRITE_EVERY_MS).unref();

  return {
    record(exchange) {
      if (stopped) return;
      if (waiting.length >= WAITING_MAX) dropped++;
      else waiting.push({ exchange, at: clock() });
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await writeNext();
    },
  };
}

function toRow({ exchange, at }: Waiting): NewProviderCall {
  const { transactionId, rail, operation, method, target, status, durationMs } = exchange;
  return {
    transactionId,
    rail,
    operation,
    method,
    target: cutText(target, TARGET_LENGTH_MAX),
    status,
    outcome: outcomeOf(status),
    durationMs: Math.round(durationMs * 10) / 10,
    ...maskProviderCall(exchange),
    at,
  };
}

function outcomeOf(status: number | null): NewProviderCall['outcome'] {
  if (status === null) return 'silent';
  if (status < 400) return 'done';
  return status < 500 ? 'rejected' : 'failed';
}
