import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '#prisma';
import { CONNECTION_WAIT_MS, createPool, renewConnections } from './pool.ts';

/**
 * The one way to the database: a pool for hand-written SQL (money, hot paths, tasks), Prisma on the
 * same pool for the rest.
 */
export type Database = {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /**
   * The address for sessions that keep state (locks, LISTEN): a pooler between keeps none beyond a
   * transaction.
   */
  readonly directUrl: string;
  /** Stops the use of the open connections: work that begins after this gets new ones. */
  renewConnections(): void;
  close(): Promise<void>;
};

/** Added to Prisma's own wait, so that the pool's limit is reached first. */
const MARGIN_MS = 1_000;
/**
 * Longer than PostgreSQL's own limits of a statement and of the time between two, so that its error
 * comes first; Prisma's default is five seconds.
 */
const TRANSACTION_MAX_MS = 30_000;

/**
 * Opens the pool of a database, and the Prisma client that shares it once it is asked for. The
 * caller closes both. `directUrl`: past a pooler, where `url` leads to one. `onError`: gets what
 * breaks an idle connection, which the pool replaces.
 */
export function openDatabase(
  url: string,
  options: {
    directUrl?: string;
    max?: number;
    perAccount?: number;
    applicationName?: string;
    onError?: (error: Error) => void;
  } = {},
): Database {
  const pool = createPool(url, options);
  // An idle connection that breaks must not end the process: the pool replaces it.
  pool.on('error', (error) => options.onError?.(error));
  // Not every pool is asked through Prisma, and a client is not free.
  let prisma: PrismaClient | undefined;
  return {
    pool,
    get prisma() {
      // By default Prisma waits two seconds, and reports a busy pool as an internal error; here the
      // pool's own limit is reached first.
      const transactionOptions = { maxWait: CONNECTION_WAIT_MS + MARGIN_MS, timeout: TRANSACTION_MAX_MS };
      // Its longer messages hold what was to be written, and lines of our source.
      prisma ??= new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions, errorFormat: 'minimal' });
      return prisma;
    },
    directUrl: options.directUrl ?? url,
    renewConnections: () => renewConnections(pool),
    async close() {
      await prisma?.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
