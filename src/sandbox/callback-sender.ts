/**
 * Sends due callbacks: those of a PIX key to `{webhookUrl}/pix`, the others to their own URL. Any
 * number of processes may do so at the same time.
 */
import { Agent, request } from 'undici';
import { batchArrays, batched, firstOfBatch } from '#db/connection/batched.ts';
import type { SandboxOptions } from './sandbox-options.ts';

/**
 * How often the table is polled for callbacks that another process left, or that become due by time
 * alone.
 */
const POLL_INTERVAL_MS = 500;
/** A try that takes longer has failed. */
const ANSWER_WITHIN_MS = 10_000;
/** The wait after the first, second, … failed try; after the last of them comes one more try. */
const RETRY_DELAYS_SECONDS = [1, 5, 30, 120, 600];
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;
/**
 * How long after it was claimed a callback whose sender died is due again; longer than any try
 * takes.
 */
const LEASE_SECONDS = 30;
/** Slow receivers must not keep a process from sending to the others, nor exhaust its sockets. */
const MAX_IN_FLIGHT = 32;

type Callback = {
  id: string;
  body: string;
  attempts: number;
  max_attempts: number;
  dropped_tries: number;
  /** Null while no webhook is registered for its key. */
  url: string | null;
};

/** A try of a callback: what it leaves, and why it failed. */
type Tried = { callback: Callback; state: 'due' | 'sent' | 'given_up'; dueAt: Date; failure: string | null };

const recordTry = batched<Tried, void>(async (pool, tried) => {
  await pool.query({
    name: 'sandbox_record_tries',
    // The attempt number keeps out a sender whose lease has run out. What waited for a callback
    // goes out once that is not tried again.
    text: `
      WITH tried AS (
        SELECT * FROM unnest(${batchArrays('bigint', 'integer', 'text', 'timestamptz', 'text')})
          AS t (id, attempts, state, due_at, last_error)
      ), finished AS (
        UPDATE sandbox.callbacks c SET state = t.state, due_at = t.due_at, last_error = t.last_error
        FROM tried t WHERE c.id = ANY (${firstOfBatch('bigint')}) AND c.id = t.id AND c.attempts = t.attempts
      )
      UPDATE sandbox.callbacks c SET due_at = t.due_at FROM tried t
      WHERE t.state <> 'due' AND c.waits_for = ANY (${firstOfBatch('bigint')}) AND c.waits_for = t.id
        AND c.state = 'due' AND c.attempts = 0 AND c.due_at > t.due_at`,
    values: [
      tried.map(({ callback }) => callback.id),
      tried.map(({ callback }) => callback.attempts),
      tried.map(({ state }) => state),
      tried.map(({ dueAt }) => dueAt),
      tried.map(({ failure }) => failure),
    ],
  });
  return [];
});

type CallbackSender = {
  start(): void;
  /** Looks for due callbacks now; called after a payment. */
  wake(): void;
  /** Sends what is due now, once, and waits for what is in flight. */
  drainDueTasks(): Promise<void>;
  /** Stops claiming callbacks, and resolves when those in flight have ended. */
  stop(): Promise<void>;
};

export function createCallbackSender({ pool, clock, log }: SandboxOptions): CallbackSender {
  const agent = new Agent({ connect: { timeout: ANSWER_WITHIN_MS } });
  const inFlight = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let polling: Promise<void> | null = null;
  let pollAgain = false;

  function wake(): void {
    if (!timer) return;
    if (polling) {
      pollAgain = true;
      return;
    }
    polling = poll()
      .catch((error: Error) => log.warn({ error: error.message }, 'sandbox: looking for due callbacks failed'))
      .finally(() => {
        polling = null;
      });
  }

  async function poll(): Promise<void> {
    do {
      pollAgain = false;
      const room = MAX_IN_FLIGHT - inFlight.size;
      // The end of any delivery wakes the sender again.
      if (room === 0) return;
      const claimed = await claim(room);
      for (const callback of claimed) {
        const delivery = deliver(callback)
          .catch((error: Error) =>
            log.warn(
              { callback: callback.id, error: error.message },
              'sandbox: recording a try failed, it will be repeated',
            ),
          )
          .finally(() => {
            inFlight.delete(callback.id);
            wake();
          });
        inFlight.set(callback.id, delivery);
      }
    } while (pollAgain && timer);
  }

  /**
   * Takes up to `limit` due callbacks. It leaves out those in flight in this process, which become
   * due again when the clock moves past their lease.
   */
  async function claim(limit: number): Promise<Callback[]> {
    const now = clock();
    const { rows } = await pool.query<Callback>({
      name: 'sandbox_claim_callbacks',
      text: `
        WITH due AS (
          SELECT id FROM sandbox.callbacks WHERE state = 'due' AND due_at <= $1 AND id <> ALL ($4::bigint[])
          ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED
        )
        UPDATE sandbox.callbacks callback SET due_at = $2, attempts = attempts + 1, last_error = NULL
        FROM due WHERE callback.id = due.id
        RETURNING callback.id, body, attempts, max_attempts, dropped_tries,
          coalesce(url, (SELECT rtrim(webhook_url, '/') || '/pix' FROM sandbox.webhooks
            WHERE webhooks.chave = callback.chave)) AS url`,
      values: [now, secondsAfter(now, LEASE_SECONDS), limit, [...inFlight.keys()]],
    });
    return rows;
  }

  async function deliver(callback: Callback): Promise<void> {
    const failure = await send(callback);
    const state = failure === null ? 'sent' : callback.attempts < callback.max_attempts ? 'due' : 'given_up';
    const now = clock();
    const dueAt = state === 'due' ? secondsAfter(now, RETRY_DELAYS_SECONDS[callback.attempts - 1] ?? 0) : now;
    await recordTry(pool, { callback, state, dueAt, failure });
    if (failure)
      log.warn({ callback: callback.id, attempt: callback.attempts, failure, state }, 'sandbox: callback failed');
  }

  /** Returns why the try failed; null when it succeeded. */
  async function send(callback: Callback): Promise<string | null> {
    if (callback.attempts <= callback.dropped_tries) return 'dropped by the switch pix.callback';
    // The URL is looked up at each try, so that a payment made before the webhook was registered is
    // still reported.
    if (!callback.url) return 'no webhook is registered for this key';
    try {
      const { statusCode, body } = await request(callback.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: callback.body,
        dispatcher: agent,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      await body.dump();
      return statusCode >= 200 && statusCode < 300 ? null : `answered ${statusCode}`;
    } catch (error) {
      return error instanceof Error ? error.message || error.name : String(error);
    }
  }

  return {
    start() {
      timer ??= setInterval(wake, POLL_INTERVAL_MS);
      wake();
    },
    wake,
    async drainDueTasks() {
      // What a poll has claimed is in flight once it has ended.
      await polling;
      for (;;) {
        const claimed = await claim(MAX_IN_FLIGHT);
        if (claimed.length === 0) break;
        await Promise.all(claimed.map(deliver));
      }
      await Promise.all(inFlight.values());
    },
    async stop() {
      if (timer) clearInterval(timer);
      timer = null;
      await polling;
      await Promise.all(inFlight.values());
      await agent.close();
    },
  };
}

function secondsAfter(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
