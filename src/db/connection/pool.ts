import pg from 'pg';
import { createGate } from '#domain/requests/gate.ts';
import { currentAccount } from '../accounts/account-context.ts';

/**
 * Money columns are bigint: a JavaScript number would round above 2^53. Everything else as `pg` has
 * it.
 */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format)) as never,
};

/** The size of a pool where none is given: tests, scripts, the command line. */
const POOL_CONNECTIONS_DEFAULT = 10;

/**
 * Statements take milliseconds; one that takes longer is stuck and must not hold its locks. A
 * statement that waits for a lock for two seconds is cancelled, so that others can use its
 * connection. No statement is compiled (PostgreSQL's manual, "When to JIT?"): in an account of a
 * million transactions the planner's estimate for a search is as high as the cost from which
 * PostgreSQL compiles. That takes 45 ms to a second; the search itself takes 3 ms. The operator may
 * set others in the database's address.
 */
const DEFAULT_SETTINGS = [
  'statement_timeout=10000',
  'lock_timeout=2000',
  'idle_in_transaction_session_timeout=15000',
  'jit=off',
];
/**
 * Prisma's adapter writes and reads instants without their offset: a session whose time zone is not
 * UTC would move them, so that no address may choose another one. `pg` reads instants in the ISO
 * style only: in another one, and some servers in Brazil have SQL, DMY, each would be null.
 */
const FIXED_SETTINGS = ['TimeZone=UTC', 'DateStyle=ISO'];

/** PostgreSQL's read_only_sql_transaction: the server is a standby, or is to take no writes. */
export const READ_ONLY = '25006';

/** How long a request waits for a connection before it is rejected with a time to retry. */
export const CONNECTION_WAIT_MS = 5_000;

/** The pool that hand-written SQL and the Prisma client share. */
export function createPool(
  databaseUrl: string,
  options: {
    max?: number;
    applicationName?: string;
    /** Connections that work of one account (account-context.ts) may hold at once. */
    perAccount?: number;
    /** Settings of every session, as `name=value`; the address's own options override them. */
    settings?: readonly string[];
    Client?: typeof pg.Client;
  } = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOf(databaseUrl, [...DEFAULT_SETTINGS, ...(options.settings ?? [])]),
    ...(options.Client && { Client: options.Client }),
    max: options.max ?? POOL_CONNECTIONS_DEFAULT,
    types,
    application_name: options.applicationName ?? 'trilho',
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    keepAlive: true,
  });
  // A connection that is cut fails its query; between two queries of a transaction, or while it is
  // being closed, it emits an error event, which ends the process when it has no listener, and the
  // pool listens to idle connections only.
  pool.on('connect', (client) => client.on('error', () => {}));
  replaceOutdated(pool);
  if (options.perAccount !== undefined) shareFairly(pool, options.perAccount);
  return pool;
}

/** The open connections of each pool, and those among them that are used no more. */
const openOf = new WeakMap<pg.Pool, Set<pg.PoolClient>>();
const outdated = new WeakSet<pg.PoolClient>();

/**
 * Stops the use of the connections of `pool` that are open now: another server may serve under
 * their address by now. A connection that is in use is closed when it is released.
 */
export function renewConnections(pool: pg.Pool): void {
  for (const client of openOf.get(pool) ?? []) outdated.add(client);
}

/**
 * A connection that was opened before a failover may lead to the old primary, which answers reads
 * with what it had. The first write that is rejected there outdates all of them.
 */
function replaceOutdated(pool: pg.Pool): void {
  const open = new Set<pg.PoolClient>();
  openOf.set(pool, open);
  pool.on('connect', (client) => {
    open.add(client);
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) renewConnections(pool);
    });
  });
  pool.on('remove', (client) => open.delete(client as pg.PoolClient));
  // The pool keeps no client that is being closed.
  pool.on('release', (_error, client) => {
    if (outdated.has(client as pg.PoolClient)) void (client as pg.PoolClient).end();
  });

  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const connectAnew = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await connect();
      if (!outdated.has(client)) return client;
      client.release(true);
    }
  };
  pool.connect = withCallback(connectAnew);
}

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (broken?: unknown) => void) => void;

/** A `connect` that may also be given a callback, as `pool.query` does. */
function withCallback(connect: () => Promise<pg.PoolClient>): pg.Pool['connect'] {
  const connectOrCall = (callback?: Callback) => {
    const connected = connect();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, (broken) => client.release(broken as Error | undefined)),
      (error: Error) => callback(error, undefined, () => {}),
    );
  };
  return connectOrCall as pg.Pool['connect'];
}

/**
 * How a connection to this address is opened, with these settings (`name=value`) where the address
 * names no others, and with those that no address may choose. The address is without its own
 * `options`, which would replace ours: they come after our defaults and before what may not change,
 * and the last one wins.
 */
export function connectionOf(
  databaseUrl: string,
  settings: readonly string[] = [],
): { connectionString: string; options: string } {
  const asOptions = (settings: readonly string[]) => settings.map((setting) => `-c ${setting}`);
  const url = new URL(databaseUrl);
  const own = url.searchParams.get('options');
  url.searchParams.delete('options');
  return {
    connectionString: own === null ? databaseUrl : url.href,
    options: [...asOptions(settings), ...(own ? [own] : []), ...asOptions(FIXED_SETTINGS)].join(' '),
  };
}

/**
 * How many queries of one account may wait for its share of the connections; any more are a flood,
 * and are rejected at once.
 */
const WAITING_PER_ACCOUNT_MAX = 1_000;

/**
 * Bounds the connections that one account holds: an account that uses its whole share waits for one
 * of its own to be released, and not ahead of others. Prisma and `pool.query` take their
 * connections by `connect`, too.
 */
function shareFairly(pool: pg.Pool, perAccount: number): void {
  const gate = createGate({ running: perAccount, waiting: WAITING_PER_ACCOUNT_MAX, waitMs: CONNECTION_WAIT_MS });
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;

  const connectFor = async (accountId: string): Promise<pg.PoolClient> => {
    const leave = await gate.enter(accountId);
    // The pool's own message, which isUnavailable() knows.
    if (!leave) throw new Error('timeout exceeded when trying to connect');
    try {
      const client = await connect();
      const release = client.release;
      client.release = (broken) => {
        leave();
        release(broken);
      };
      return client;
    } catch (error) {
      leave();
      throw error;
    }
  };

  pool.connect = withCallback(() => {
    const accountId = currentAccount();
    return accountId === undefined ? connect() : connectFor(accountId);
  });
}

/** Whether the server is a standby, or is configured to take no writes. */
export async function isReadOnly(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ readOnly: boolean }>(
    `SELECT current_setting('transaction_read_only')::boolean AS "readOnly"`,
  );
  return rows[0]?.readOnly === true;
}
