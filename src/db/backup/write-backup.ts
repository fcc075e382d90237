import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type AppliedMigration, findAppliedMigrations } from '../connection/migrate.ts';
import { BackupError } from './backup-error.ts';
import { frame } from './frames.ts';
import type { Sealing } from './sealed-stream.ts';
import { writeSealedFile } from './write-sealed-file.ts';

/** The first frame of a backup. */
export type BackupHeader = {
  /** When its snapshot was taken. */
  at: string;
  migrations: AppliedMigration[];
  tables: number;
};
/** Before the rows of a table. */
export type BackupTable = { table: string; columns: string[] };

export type BackupReport = { at: Date; tables: number; bytes: number };

/**
 * Writes a whole database to a file, sealed: every row of every table in one snapshot, so that it
 * is consistent whatever is written meanwhile; nobody waits for it. Left out are the counters of
 * rate limits, which end with the minute, and the sandbox, which is not ours to keep. The file has
 * compressed frames (frames.ts): a BackupHeader, then for each table, in the order in which they
 * refer to each other, a BackupTable, its rows as COPY writes them, and an empty frame.
 *
 * `client` is a connection of its own, outside of a transaction; after an error it is in one. A
 * backup that fails, on a full disk or because `signal` stops it, leaves no file.
 */
export async function writeBackup(
  client: pg.Client,
  file: string,
  { sealing, signal }: { sealing: Sealing; signal?: AbortSignal },
): Promise<BackupReport> {
  const before = await readTables(client);
  if (before.length === 0) throw new BackupError('This database has no tables: it is not a service’s, or is empty.');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // An operator who searches for the session that a migration waits for finds it by this name.
  await client.query("SET LOCAL application_name = 'trilho-backup'");
  // Years of rows take longer than any statement of the service may.
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  // Every server reads ISO dates, whatever its own setting is.
  await client.query('SET LOCAL datestyle = ISO');
  // The locks come before the snapshot, which begins with the first query: a table that a migration
  // rewrites after the snapshot could be empty in it.
  await client.query(`LOCK TABLE ${before.map(({ table }) => `"${table}"`).join(', ')} IN ACCESS SHARE MODE`);
  const header = await readHeader(client);
  const tables = await readTables(client);
  const frames = framesOf(client, { ...header, tables: tables.length }, tables);
  const bytes = await writeSealedFile(file, frames, {
    sealing,
    signal,
    beforeNamed: async () => void (await client.query('COMMIT')),
  });
  return { at: new Date(header.at), tables: tables.length, bytes };
}

async function* framesOf(client: pg.Client, header: BackupHeader, tables: BackupTable[]): AsyncGenerator<Buffer> {
  yield frame(Buffer.from(JSON.stringify(header)));
  for (const table of tables) {
    yield frame(Buffer.from(JSON.stringify(table)));
    const columns = table.columns.map((column) => `"${column}"`).join(', ');
    const rows: AsyncIterable<Buffer> = client.query(copyTo(`COPY ${table.table} (${columns}) TO STDOUT`));
    for await (const chunk of rows) yield frame(chunk);
    yield frame(Buffer.alloc(0));
  }
}

async function readHeader(client: pg.Client): Promise<Omit<BackupHeader, 'tables'>> {
  const { rows } = await client.query<{ at: Date }>('SELECT now() AS at');
  if (!rows[0]) throw new Error('PostgreSQL did not say the time.');
  return { at: rows[0].at.toISOString(), migrations: await findAppliedMigrations(client) };
}

/** Each after those that its rows refer to. */
async function readTables(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { refersTo: string[] }>(
    `SELECT c.relname AS table,
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
         AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
       ARRAY(SELECT DISTINCT f.confrelid::regclass::text FROM pg_constraint f
         WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS "refersTo"
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
       AND c.relname <> '_prisma_migrations' ORDER BY c.relname`,
  );
  const ordered: BackupTable[] = [];
  let left = rows;
  while (left.length > 0) {
    const done = new Set(ordered.map(({ table }) => table));
    const next = left.filter(({ refersTo }) => refersTo.every((name) => done.has(name)));
    if (next.length === 0) throw new Error(`Tables refer to each other: ${left.map(({ table }) => table).join(', ')}.`);
    ordered.push(...next.map(({ table, columns }) => ({ table, columns })));
    left = left.filter((row) => !next.includes(row));
  }
  return ordered;
}
