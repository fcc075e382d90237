import type pg from 'pg';
import { toBuffer, toBytes } from '../connection/bytes.ts';
import type { Database } from '../connection/database.ts';

/**
 * A master key that this database was used with. `check` distinguishes it from another of its
 * version; retired: no value is sealed with it.
 */
export type MasterKeyRecord = { version: string; check: Buffer; retiredAt: Date | null };

export async function listMasterKeys(db: Database): Promise<MasterKeyRecord[]> {
  const keys = await db.prisma.masterKey.findMany({ orderBy: { version: 'asc' } });
  return keys.map(({ version, checkValue, retiredAt }) => ({ version, check: toBuffer(checkValue), retiredAt }));
}

/** Notes keys that were not known; those that are stay as they are. */
export async function insertMasterKeys(
  db: Database,
  keys: readonly { version: string; check: Buffer }[],
  now: Date,
): Promise<void> {
  const data = keys.map(({ version, check }) => ({ version, checkValue: toBytes(check), createdAt: now }));
  await db.prisma.masterKey.createMany({ data, skipDuplicates: true });
}

/** Notes that nothing needs these keys any more. */
export async function retireMasterKeys(db: Database, versions: readonly string[], now: Date): Promise<void> {
  const where = { version: { in: [...versions] }, retiredAt: null };
  await db.prisma.masterKey.updateMany({ where, data: { retiredAt: now } });
}

/**
 * A process that serves this database, by its connection's id: the version that it seals with, and
 * all that it opens.
 */
export type KeyHolder = { pid: number; address: string | null; seals: string; opens: string[] };

/**
 * Classes of advisory locks, whose second number is a version's: what a process seals with, and
 * what it opens.
 */
const SEALS = 0x6b657973;
const OPENS = 0x6b65796f;

/**
 * The shared advisory locks by which a process shows which keys it has, for as long as it runs; it
 * seals with the first version. They are taken one after the other, and a process is listed once it
 * has the last one: it is never listed with fewer keys than it has.
 */
export const keyLocks = ([first, ...others]: Readonly<[string, ...string[]]>): [number, number][] => [
  ...[first, ...others].map((version): [number, number] => [OPENS, numberOf(version)]),
  [SEALS, numberOf(first)],
];

/** The processes that serve this database at this moment. */
export async function listKeyHolders(db: pg.Pool): Promise<KeyHolder[]> {
  const { rows } = await db.query<{ pid: number; address: string | null; seals: string; opens: string[] }>(
    `SELECT l.pid, host(a.client_addr) AS address, 'v' || max(l.objid::bigint) FILTER (WHERE l.classid::bigint = $1) AS seals,
       coalesce(array_agg('v' || l.objid) FILTER (WHERE l.classid::bigint = $2), '{}') AS opens
     FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted AND l.classid::bigint IN ($1, $2)
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
     GROUP BY l.pid, a.client_addr ORDER BY l.pid`,
    [SEALS, OPENS],
  );
  return rows.filter(({ seals }) => seals !== null);
}

const numberOf = (version: string) => Number(version.slice(1));
