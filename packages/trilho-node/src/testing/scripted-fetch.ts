import type { TransportConfig } from '../transport.ts';

/** What a scripted fetch does with one request. */
export type Step =
  | { status: number; body?: unknown; text?: string | ReadableStream<Uint8Array>; headers?: Record<string, string> }
  | { fails: Error }
  /** Answers nothing until it is aborted. */
  | 'silence';

export type Sent = { url: string; method: string; headers: Headers; body: string | null; redirect: string };

/**
 * Returns a fetch that answers by a script, and a config whose time passes only while it sleeps.
 * `sent` and `slept` record the requests and the waits.
 */
export function createScriptedFetch(steps: Step[], overrides: Partial<TransportConfig> = {}) {
  const sent: Sent[] = [];
  const slept: number[] = [];
  let nowMs = 0;
  const config: TransportConfig = {
    baseUrl: 'https://pay.example.com',
    apiKey: 'tr_test_secret',
    limits: { timeoutMs: 1_000, totalTimeoutMs: 60_000, maxRetries: 5 },
    onAnswer: undefined,
    sleep: async (ms) => {
      slept.push(ms);
      nowMs += ms;
    },
    random: () => 0.5,
    nowMs: () => nowMs,
    fetch: async (url, init = {}) => {
      sent.push({
        url: String(url),
        method: init.method ?? '',
        headers: new Headers(init.headers),
        body: typeof init.body === 'string' ? init.body : null,
        redirect: init.redirect ?? '',
      });
      const step = steps[sent.length - 1];
      if (step === undefined) throw new Error(`The script has no step ${sent.length}.`);
      if (step === 'silence') return untilAborted(init.signal);
      if ('fails' in step) throw step.fails;
      return new Response(step.text ?? JSON.stringify(step.body ?? {}), {
        status: step.status,
        headers: { 'x-request-id': `req-${sent.length}`, ...step.headers },
      });
    },
    ...overrides,
  };
  return { config, sent, slept, keys: () => sent.map(({ headers }) => headers.get('idempotency-key')) };
}

/** An error of the API as it is on the wire. */
export const errorStep = (status: number, code: string, extra: object = {}, headers: Record<string, string> = {}) => ({
  status,
  body: { success: false, error: 'Erro', message: 'O que fazer.', code, ...extra },
  headers,
});

/** The error that Node's fetch throws, with a cause of this code, and of this system call. */
export const networkError = (code: string, syscall?: string) => ({
  fails: new TypeError('fetch failed', {
    cause: Object.assign(new Error(code), { code, ...(syscall && { syscall }) }),
  }),
});

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}
