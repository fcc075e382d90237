import pino from 'pino';
import { scrub } from '#domain/encryption/scrub.ts';
import type { ApiErrorCode } from '#domain/errors/error-catalogue.ts';
import type { Log } from '#services/deps.ts';

/**
 * The fields of a request's line: ids, names and numbers that the service makes, never a foreign
 * text. `route` is the template, for a path holds what its sender wrote into it.
 */
export type RequestFields = {
  requestId: string;
  method: string;
  route: string;
  status: number;
  ms: number;
  accountId: string | undefined;
  code?: ApiErrorCode;
};

/** The log as the server has it. */
export type ServerLog = Log & {
  /** Writes the line of a request that was served, or rejected without a cause to report. */
  request(fields: RequestFields): void;
  flush(): void;
};

/**
 * Lines are written together: at most so many bytes, and at most so much later. A write for each
 * costs as much as answering a request. What is buffered is written when the process ends, unless
 * it is killed.
 */
const BUFFERED_BYTES = 8192;
const BUFFERED_MS = 100;
/** What waits for a destination that takes nothing: some seconds of a busy process. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024;

/**
 * JSON lines, one per event, to `destination` (standard error: standard output is for the program's
 * answers).
 */
export function createLog(options: { level: string; destination?: pino.DestinationStream }): ServerLog {
  const destination = options.destination ?? standardError();
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error: unknown) => errorFields(error) },
  };
  const log = pino({ ...settings, hooks: { streamWrite: scrub } }, destination);
  // Scrubbing a line takes a third of the time that answering a request does, and these have
  // nothing to scrub.
  const requests = pino(settings, destination);
  return Object.assign(log, {
    request: (fields: RequestFields) => requests.info(fields, 'request'),
    flush: () => 'flushSync' in destination && (destination as { flushSync(): void }).flushSync(),
  });
}

/**
 * What can't be written, as to a file on a disk that is full, waits until it can; of what comes
 * after WAITING_BYTES_MAX, and of what waits when the process ends, nothing is written. Unheard,
 * the error would end requests; and the last flush would try again without end, with all else
 * waiting.
 */
function standardError() {
  const written = pino.destination({
    fd: 2,
    sync: false,
    minLength: BUFFERED_BYTES,
    maxLength: WAITING_BYTES_MAX,
    periodicFlush: BUFFERED_MS,
  });
  const flushSync = written.flushSync.bind(written);
  let fails = false;
  written.on('error', () => {
    fails = true;
  });
  written.on('write', () => {
    fails = false;
  });
  written.flushSync = () => {
    if (!fails) flushSync();
  };
  return written;
}

/** A cause has causes; deeper ones say nothing new. */
const CAUSES_MAX = 3;

/**
 * The fields of an error that are logged. Not its other members: drivers attach whole connections
 * there.
 */
function errorFields(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error === undefined ? undefined : String(error);
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  const deeper = cause !== undefined && depth < CAUSES_MAX ? { cause: errorFields(cause, depth + 1) } : {};
  return { name, message, ...(code && { code }), stack, ...deeper };
}
