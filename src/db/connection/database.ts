import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '#prisma';
import { CONNECTION_WAIT_MS, createPool, READ_ONLY, renewConnections } from './pool.ts';

/**
 * The one way to the database: a pool for hand-written SQL (money, hot paths, tasks), Prisma on the
 * same pool for the rest.
 */
export type Database = {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /**
   * Where a session of one's own is opened: a pooler between keeps no state beyond a transaction.
   */
  readonly directUrl: string;
  /** Work that begins from now on gets connections that are opened from now on. */
  renewConnections(): void;
  close(): Promise<void>;
};

/** So that of two limits of one length the pool's comes first. */
const MARGIN_MS = 1_000;
/**
 * PostgreSQL bounds each statement, and the time between two: its words come before Prisma's five
 * seconds.
 */
const TRANSACTION_MAX_MS = 30_000;

export function openDatabase(
  url: string,
  options: { directUrl?: string; max?: number; perAccount?: number; onError?: (error: Error) => void } = {},
): Database {
  const pool = createPool(url, options);
  // An idle connection that breaks must not end the process: the pool replaces it.
  pool.on('error', (error) => options.onError?.(error));
  // Not every pool is asked through Prisma, and a client is not free.
  let prisma: PrismaClient | undefined;
  return {
    pool,
    get prisma() {
      // Prisma would wait two seconds, and call a pool that is busy an internal error: the pool
      // says when it is too long.
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

/** What PostgreSQL says by SQLSTATE or the system by name. */
const UNAVAILABLE_CLASSES = /^(08|53|57P0|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND)/;
/**
 * Cancelled, lock not had in time, deadlock, serialisation; the database takes no connections just
 * now, or no writes; Prisma's own: a transaction did not begin, or end, in time.
 */
const UNAVAILABLE_CODES = ['57014', '55P03', '40P01', '40001', '55000', READ_ONLY, 'P2028'];
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;
/**
 * A migration has changed a table between the plan of a statement and its execution: nothing was
 * done, and the next try has a new plan.
 */
const CHANGED_MEANWHILE = /cached plan must not change result type|attribute number \d+ exceeds number of columns \d+/;
/** The same where Prisma's adapter has a word of its own for it. */
const UNAVAILABLE_KINDS = [
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
];

/**
 * Whether an error, of `pg` or of Prisma, says that the database can't be reached or is overloaded,
 * as opposed to an internal error.
 */
export function isUnavailable(error: unknown): boolean {
  const { code = '', message = '', meta } = (error ?? {}) as { code?: string; message?: string; meta?: PrismaMeta };
  const { kind = '', originalCode = code } = meta?.driverAdapterError?.cause ?? {};
  return (
    UNAVAILABLE_CLASSES.test(originalCode) ||
    UNAVAILABLE_CODES.includes(originalCode) ||
    UNAVAILABLE_KINDS.includes(kind) ||
    UNAVAILABLE_MESSAGE.test(message) ||
    CHANGED_MEANWHILE.test(message)
  );
}

/**
 * What a query through Prisma failed with: PostgreSQL's own words are two levels below its error.
 */
type PrismaMeta = { driverAdapterError?: { cause?: { kind?: string; originalCode?: string } } };
