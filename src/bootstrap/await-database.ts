import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#db/connection/database.ts';
import { isUnavailable } from '#db/connection/is-unavailable.ts';

/** Longer than PostgreSQL takes to recover from a crash, or another node to take over. */
const WAIT_MS = 60_000;
const POLL_MS = 200;

/**
 * Waits, a minute at most, while the database is unavailable: it may be starting, recovering or
 * failing over, and a process that ends and is started again takes longer than one that waits.
 * Returns once the database has answered, also when it answered with an error of another kind: the
 * caller's next query meets that.
 */
export async function awaitDatabase(
  pool: Pick<Database['pool'], 'query'>,
  of: { isStopping(): boolean; onProgress: ((message: string) => void) | undefined; waitMs?: number; pollMs?: number },
): Promise<void> {
  const { isStopping, onProgress, waitMs = WAIT_MS, pollMs = POLL_MS } = of;
  const until = performance.now() + waitMs;
  for (let isSaid = false; performance.now() < until && !isStopping(); isSaid = true) {
    const error = await pool.query('SELECT').then(
      () => null,
      (reason: Error & { code?: string }) => reason,
    );
    if (error === null || !isUnavailable(error)) return;
    if (!isSaid) onProgress?.(`Waiting for the database of DATABASE_URL (${error.code ?? error.message})`);
    await sleep(pollMs);
  }
}
