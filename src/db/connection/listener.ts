import pg from 'pg';
import { connectionOf } from './pool.ts';

/** The channel that wakes sleeping workers. */
export const TASKS_CHANNEL = 'trilho_tasks';

/**
 * How often a lost connection is tried again: short, because cached keys are only trusted while it
 * is open.
 */
const RECONNECT_MS = 500;
/** How often the connection is checked. */
const ASK_EVERY_MS = 1_000;
/** A database that does not answer this long is as good as away. */
const ANSWER_TIMEOUT_MS = 5_000;

export type Listener = {
  /**
   * Whether notifications arrive at this moment. While false, nothing that relies on them may be
   * trusted.
   */
  readonly connected: boolean;
  close(): Promise<void>;
};

/**
 * Holds one connection that listens on `channels`, and comes back by itself when it breaks.
 * `onConnectionChange` is called on every loss and return: notifications in between were missed.
 */
export function listen(options: {
  url: string;
  channels: readonly string[];
  /**
   * An advisory lock that is held while the connection is open: other processes see by it that this
   * one is alive.
   */
  aliveLock: bigint;
  /**
   * Shared advisory locks that are held with it, each of two numbers: by them other processes see
   * which master keys this one has (keyLocks).
   */
  sharedLocks: readonly (readonly [number, number])[];
  onNotification: (channel: string, payload: string) => void;
  onConnectionChange: (connected: boolean) => void;
  /**
   * Called with the database's time, and how long its answer took, once connected and with every
   * check.
   */
  onTime?: (sample: { now: Date; roundTripMs: number }) => void;
}): Listener {
  let client: pg.Client | undefined;
  let connected = false;
  let closed = false;
  let next: NodeJS.Timeout | undefined;

  const set = (now: boolean) => {
    if (connected === now) return;
    connected = now;
    options.onConnectionChange(now);
  };

  const connect = async () => {
    const own = new pg.Client({
      ...connectionOf(options.url),
      application_name: 'trilho-listener',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    const lost = () => {
      if (client !== own) return;
      client = undefined;
      clearTimeout(next);
      set(false);
      own.end().catch(() => {});
      if (!closed) next = setTimeout(connect, RECONNECT_MS);
    };
    /**
     * Until the database has noticed that our connection before this one broke, that one holds the
     * lock: it is tried again, not waited for, because a session that waits receives no
     * notifications.
     */
    let locked = false;
    const ask = async () => {
      try {
        const askedAt = performance.now();
        const { rows } = await own.query<{ locked: boolean; now: Date; readOnly: boolean }>(
          `SELECT $1 OR pg_try_advisory_lock($2) AS locked, clock_timestamp() AS now,
             pg_is_in_recovery() AS "readOnly"`,
          [locked, options.aliveLock],
        );
        // The primary became a standby: nobody notifies there.
        if (rows[0]?.readOnly) return lost();
        locked = rows[0]?.locked === true;
        if (rows[0]) options.onTime?.({ now: rows[0].now, roundTripMs: performance.now() - askedAt });
        if (client === own) next = setTimeout(ask, ASK_EVERY_MS);
      } catch {
        lost();
      }
    };
    client = own;
    own.on('error', lost);
    own.on('end', lost);
    own.on('notification', (message) => options.onNotification(message.channel, message.payload ?? ''));
    try {
      await own.connect();
      for (const lock of options.sharedLocks) await own.query('SELECT pg_advisory_lock_shared($1, $2)', [...lock]);
      for (const channel of options.channels) await own.query(`LISTEN ${channel}`);
      await ask();
      if (client === own) set(true);
    } catch {
      lost();
    }
  };
  void connect();

  return {
    get connected() {
      return connected;
    },
    async close() {
      closed = true;
      clearTimeout(next);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
}
