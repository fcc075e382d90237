import type pg from 'pg';
import { READ_ONLY } from './pool.ts';

/**
 * Beginnings of PostgreSQL's SQLSTATEs and of the system's error codes: those of a machine that is
 * off, of a network that is down, of names that can't be resolved now, and of a process or machine
 * that has no more files to open, too.
 */
const UNAVAILABLE_CLASSES = /^(08|53|57P0|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|EMFILE|ENFILE)/;
/**
 * Cancelled, lock not had in time, deadlock, serialisation; the database takes no connections just
 * now, or no writes; Prisma's own: a transaction did not begin, or end, in time.
 */
const UNAVAILABLE_CODES = ['57014', '55P03', '40P01', '40001', '55000', READ_ONLY, 'P2028'];
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;
/**
 * A migration has changed a table between the plan of a statement and its execution: nothing was
 * done, and the next try has a new plan. The first is known by the routine of PostgreSQL that
 * raises it, "cached plan must not change result type": a server in Brazil may say it in
 * Portuguese. The second is an internal error, which is not translated.
 */
const CHANGED_MEANWHILE = {
  routine: 'RevalidateCachedQuery',
  message: /attribute number \d+ exceeds number of columns \d+/,
};
/**
 * What Prisma's adapter calls an unavailable database, where it has a name of its own for the
 * error.
 */
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
  const { code = '', message = '', routine, meta, cause } = (error ?? {}) as Partial<pg.DatabaseError> & PrismaError;
  const { kind = '', originalCode = code } = (meta?.driverAdapterError ?? { cause }).cause ?? {};
  return (
    UNAVAILABLE_CLASSES.test(originalCode) ||
    UNAVAILABLE_CODES.includes(originalCode) ||
    UNAVAILABLE_KINDS.includes(kind) ||
    UNAVAILABLE_MESSAGE.test(message) ||
    routine === CHANGED_MEANWHILE.routine ||
    CHANGED_MEANWHILE.message.test(message)
  );
}

/**
 * What a query through Prisma failed with: PostgreSQL's own words are two levels below its error,
 * and one where the end of a transaction failed.
 */
type PrismaError = { cause?: PrismaCause; meta?: { driverAdapterError?: { cause?: PrismaCause } } };
type PrismaCause = { kind?: string; originalCode?: string };
