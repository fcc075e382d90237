import pg from 'pg';

/** The channel that wakes sleeping workers. */
export const TASKS_CHANNEL = 'trilho_tasks';

/** A lost connection is sought again this often: short, because revoked keys are only trusted while it stands. */
const RECONNECT_MS = 500;

export type Listener = {
  /** Whether notifications arrive at this moment. While false, nothing that relies on them may be trusted. */
  readonly connected: boolean;
  close(): Promise<void>;
};

/**
 * Holds one connection that listens on `channels`, and comes back by itself when it breaks. `onConnectionChange` is called
 * on every loss and return: what was announced in between was missed.
 */
export function listen(options: {
  url: string;
  channels: readonly string[];
  /** An advisory lock that is held while the connection stands: how others tell that this process lives. */
  aliveLock: bigint;
  onNotification: (channel: string, payload: string) => void;
  onConnectionChange: (connected: boolean) => void;
}): Listener {
  let client: pg.Client | undefined;
  let connected = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const set = (now: boolean) => {
    if (connected === now) return;
    connected = now;
    options.onConnectionChange(now);
  };

  const connect = async () => {
    const own = new pg.Client({ connectionString: options.url, application_name: 'trilho-listener', keepAlive: true });
    const lost = () => {
      if (client !== own) return;
      client = undefined;
      set(false);
      own.end().catch(() => {});
      if (!closed) retry = setTimeout(connect, RECONNECT_MS);
    };
    client = own;
    own.on('error', lost);
    own.on('end', lost);
    own.on('notification', (message) => options.onNotification(message.channel, message.payload ?? ''));
    try {
      await own.connect();
      await own.query('SELECT pg_advisory_lock($1)', [options.aliveLock]);
      for (const channel of options.channels) await own.query(`LISTEN ${channel}`);
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
      clearTimeout(retry);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
}
