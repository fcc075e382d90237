import { type ApiError, ConnectionError, toApiError } from './errors.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { isRetryable, parseRetryAfter } from './retry-delay.ts';

/** A successful answer. */
export type Success = { status: number; headers: Headers; body: object };

/** A try that failed. */
export type Failure = {
  error: ApiError | ConnectionError;
  /** Whether the same request may succeed by itself. */
  isRetryable: boolean;
  retryAfterMs: number | null;
  /** Whether the operation may have been executed all the same. */
  mayHaveHappened: boolean;
  /** Whether the answer also settles the outcome of every earlier try under the same key. */
  isFinal: boolean;
};

export type Tried = { success: Success } | { failure: Failure };

/** No answer of the service is as large: a larger one is another program's. */
const ANSWER_BYTES_MAX = 64 * 2 ** 20;

/**
 * Causes, by Node's names, for which no connection was made, or its certificate was rejected:
 * nothing has been sent.
 */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/**
 * The system calls of those causes. By `read` and `write` a connection was lost over which the
 * request may have been sent: also with EHOSTUNREACH, when the network behind it went away.
 */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo', undefined]);
/**
 * The service answers these before it looks at the key, so they say nothing about earlier tries.
 */
const BEFORE_THE_KEY: ReadonlySet<number> = new Set([401, 403, 429]);

/** Sends a request once and waits for its answer, at most `timeoutMs`. Never throws. */
export async function sendOnce(
  { fetch, nowMs }: { fetch: typeof globalThis.fetch; nowMs: () => number },
  { method, url, headers, body, key }: PreparedRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Tried> {
  const controller = new AbortController();
  // Without its reason, which could look like a connection that was never made.
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort, { once: true });
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    controller.abort();
  }, timeoutMs);
  try {
    // A redirect is no answer of the service, and the key of the API goes nowhere else.
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal: controller.signal });
    const { status, ok } = response;
    const parsed = parseJson(await readText(response));
    if (!ok) return { failure: failureOf(response, parsed, key, nowMs()) };
    // Every answer of the service has its `data`: a proxy, or a page before it, has not.
    if (typeof parsed !== 'object' || parsed === null || !('data' in parsed)) {
      return { failure: unanswered('The answer was not the API’s.', undefined, key) };
    }
    return { success: { status, headers: response.headers, body: parsed } };
  } catch (cause) {
    if (cause instanceof AnswerTooLargeError) return { failure: unanswered(cause.message, undefined, key) };
    const message = isTimedOut ? `No answer within ${Math.ceil(timeoutMs)} ms.` : connectionMessage(cause);
    return { failure: unanswered(message, cause, key) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function failureOf({ status, headers }: Response, body: unknown, key: string | null, nowMs: number): Failure {
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), nowMs);
  const requestId = headers.get('x-request-id');
  const error = toApiError({ status, body, requestId, retryAfterMs, idempotencyKey: key });
  const isRunning = error.code === 'idempotency_key_running';
  return {
    error,
    isRetryable: isRetryable(error),
    retryAfterMs,
    mayHaveHappened: isRunning || (status >= 500 && error.code !== 'rail_closed'),
    // An answer without a code is a proxy's.
    isFinal: status < 500 && error.code !== null && !isRunning && !BEFORE_THE_KEY.has(status),
  };
}

function unanswered(message: string, cause: unknown, idempotencyKey: string | null): Failure {
  return {
    error: new ConnectionError(message, { idempotencyKey, cause }),
    isRetryable: true,
    retryAfterMs: null,
    mayHaveHappened: !(NOT_SENT.has(causeCode(cause)) && BEFORE_SENDING.has(causeMember(cause, 'syscall'))),
    isFinal: false,
  };
}

class AnswerTooLargeError extends Error {
  override message = `The answer was larger than ${ANSWER_BYTES_MAX} bytes.`;
}

/** Reads as much as an answer can have. */
async function readText(response: Response): Promise<string> {
  const { body } = response;
  // Some platforms' own fetch has no streams.
  if (!body) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new AnswerTooLargeError();
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With the code, which distinguishes a wrong certificate from a wrong address. */
function connectionMessage(cause: unknown): string {
  const code = causeCode(cause);
  return code === '' ? 'The connection failed.' : `The connection failed: ${code}.`;
}

/** The code of the error with which fetch failed: Node puts it into the cause. */
function causeCode(error: unknown): string {
  const code = causeMember(error, 'code');
  return typeof code === 'string' ? code : '';
}

function causeMember(error: unknown, name: 'code' | 'syscall'): unknown {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null ? (cause as Record<string, unknown>)[name] : undefined;
}
