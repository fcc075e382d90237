import { OutcomeUnknownError } from './errors.ts';
import type { Operations, Warning } from './generated/api.ts';
import { type Limits, limitsFrom } from './limits.ts';
import { prepareRequest } from './prepare-request.ts';
import type { AnswerInfo, OperationName, PostOptions, RequestInput } from './request.ts';
import { retryDelayMs } from './retry-delay.ts';
import { type Success, sendOnce } from './send-once.ts';

/**
 * The configuration of a transport; `sleep` ends early, without an error, when the signal is
 * aborted.
 */
export type TransportConfig = {
  baseUrl: string;
  apiKey: string;
  limits: Limits;
  fetch: typeof globalThis.fetch;
  onAnswer: ((info: AnswerInfo) => void) | undefined;
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  random: () => number;
  nowMs: () => number;
};

export type Transport = {
  /**
   * Sends a request, again where that may help and always under the same key. Returns the body of
   * its answer. Throws ApiError, ConnectionError or OutcomeUnknownError; the reason of the signal
   * where nothing can have happened; TypeError for an invalid id, key or number, and RangeError for
   * an invalid limit.
   */
  request<Name extends OperationName>(
    name: Name,
    input?: RequestInput<Name>,
    options?: PostOptions,
  ): Promise<Operations[Name]['answer']>;
};

export function createTransport(config: TransportConfig): Transport {
  return {
    async request(name, input = {}, options = {}) {
      const { signal } = options;
      const { timeoutMs, totalTimeoutMs, maxRetries } = limitsFrom(config.limits, options);
      const deadlineMs = config.nowMs() + totalTimeoutMs;
      const prepared = prepareRequest(config, name, input, options.idempotencyKey);
      const { key } = prepared;
      let mayHaveHappened = false;
      const ended = (reason: unknown) =>
        mayHaveHappened && key !== null ? new OutcomeUnknownError(key, reason) : reason;

      for (let attempt = 1; ; attempt++) {
        if (signal?.aborted) throw ended(signal.reason);
        const leftMs = deadlineMs - config.nowMs();
        const tried = await sendOnce(config, prepared, Math.min(timeoutMs, leftMs), signal);
        if ('success' in tried) {
          report(config, infoOf(name, tried.success, key, attempt));
          // The document says that the service answers this operation with it.
          return tried.success.body as Operations[typeof name]['answer'];
        }
        const { error, isRetryable, retryAfterMs, isFinal } = tried.failure;
        mayHaveHappened ||= tried.failure.mayHaveHappened;
        if (signal?.aborted && !isFinal) throw ended(signal.reason);
        const delayMs = retryDelayMs(attempt - 1, retryAfterMs, config.random());
        const end = isFinal ? error : ended(error);
        if (!isRetryable || attempt > maxRetries || config.nowMs() + delayMs >= deadlineMs) throw end;
        await config.sleep(delayMs, signal);
        // A machine that sleeps wakes up late.
        if (!signal?.aborted && config.nowMs() >= deadlineMs) throw end;
      }
    },
  };
}

/**
 * Calls `onAnswer`, without waiting for one that is asynchronous. The call succeeds, whatever the
 * caller's own code does there.
 */
function report({ onAnswer }: TransportConfig, info: AnswerInfo): void {
  try {
    // Without a handler the rejection of an asynchronous one would end the caller's program.
    Promise.resolve(onAnswer?.(info)).catch(() => {});
  } catch {
    // The money has moved: an error here would look as if it had not.
  }
}

function infoOf(
  operation: OperationName,
  { status, headers, body }: Success,
  idempotencyKey: string | null,
  attempts: number,
): AnswerInfo {
  const { warnings = [] } = body as { warnings?: readonly Warning[] };
  return {
    operation,
    status,
    requestId: headers.get('x-request-id'),
    idempotencyKey,
    isReplayed: headers.get('idempotent-replayed') === 'true',
    warnings,
    attempts,
  };
}
