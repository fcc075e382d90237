import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterSquash, applyMigrations, findAppliedMigrations, missingMigrations } from '../connection/migrate.ts';
import { withClient } from '../connection/with-client.ts';
import { markUnsentPayoutsUnknown } from '../withdrawals/payouts.ts';
import { BackupError } from './backup-error.ts';
import { createFrameReader, type FrameReader } from './frames.ts';
import { openSealedFile } from './open-sealed-file.ts';
import type { Opening } from './sealed-stream.ts';
import type { BackupHeader, BackupTable } from './write-backup.ts';

export type RestoreReport = {
  /** When the snapshot was taken. */
  at: Date;
  tables: number;
  /** The migrations of this version that the backup's version lacked. */
  migrated: string[];
  /** How long they took together. */
  migrationMs: number;
};

/**
 * Restores a backup into an empty database, as its owner: creates the tables as the backup's
 * version had them, fills them in one commit, and migrates them to this version.
 *
 * Throws BackupError for a file that is not complete, a wrong passphrase or keys, a backup of
 * another version, and a database with merchants; nothing was written then but, at most, empty
 * tables. Throws it also for a migration of this version that fails on the restored rows, which
 * then stay.
 *
 * A withdrawal that the backup has as unsent may have been sent since. It is not sent again: its
 * provider is asked about it, and its money goes back when the provider does not know it.
 *
 * `onFilled` is called once the rows are there, before they are migrated.
 */
export async function restoreBackup(
  ownerUrl: string,
  file: string,
  opening: Opening,
  { onFilled = () => {} }: { onFilled?: () => void } = {},
): Promise<RestoreReport> {
  const { bytes, close } = openSealedFile(file, opening);
  const reader = createFrameReader(bytes);
  try {
    const header = await readHeader(reader);
    await withClient(ownerUrl, assertEmpty);
    const theirs = new Set(header.migrations.map(({ name }) => name));
    await applyMigrations(ownerUrl, { only: (name) => theirs.has(name) });
    await fill(ownerUrl, reader, header);
    onFilled();
    const migrated = await withClient(ownerUrl, missingMigrations);
    const begun = performance.now();
    await applyMigrations(ownerUrl).catch(async (error: unknown) => {
      throw (await failedMigration(ownerUrl, error)) ?? error;
    });
    const migrationMs = Math.round(performance.now() - begun);
    return { at: new Date(header.at), tables: header.tables, migrated: migrated.map(({ name }) => name), migrationMs };
  } finally {
    close();
  }
}

async function readHeader(reader: FrameReader): Promise<BackupHeader> {
  const header = (await readJson(reader)) as Partial<BackupHeader>;
  if (header.migrations) return { ...(header as BackupHeader), migrations: afterSquash(header.migrations) };
  throw new BackupError(
    'This is no backup but a file of a log archive: name the folder that the archive was written to (BACKUP_FOLDER).',
  );
}

/** Null when the error is not one of a statement. */
async function failedMigration(ownerUrl: string, error: unknown): Promise<BackupError | null> {
  const { severity, message, detail } = error as { severity?: string; message?: string; detail?: string };
  if (severity === undefined) return null;
  const [first] = await withClient(ownerUrl, missingMigrations);
  const reason = `${message}${detail ? ` (${detail})` : ''}`;
  return first ? new BackupError(`The migration ${first.name} fails on the rows of the backup: ${reason}`) : null;
}

async function fill(ownerUrl: string, reader: FrameReader, header: BackupHeader): Promise<void> {
  // Without the commit nothing of it stays.
  await withClient(ownerUrl, async (client) => {
    await assertSameMigrations(client, header);
    await client.query('BEGIN');
    const tables = await tablesOf(client);
    // Rows that the migrations wrote are in the backup too. Triggers guard changes, not rows that
    // were valid before; constraints and references are still checked.
    for (const table of tables) await client.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`);
    // Again, now that a service beside it can't make one any more.
    await assertEmpty(client);
    await client.query(`TRUNCATE ${tables.map((table) => `"${table}"`).join(', ')}`);
    for (let filled = 0; filled < header.tables; filled++) {
      const { table, columns } = (await readJson(reader)) as BackupTable;
      const names = columns.map((column) => `"${column}"`).join(', ');
      await pipeline(Readable.from(rowsOf(reader)), client.query(copyFrom(`COPY "${table}" (${names}) FROM STDIN`)));
    }
    if ((await reader.take(1)) !== null) throw new BackupError('The backup has more than it says.');
    await client.query(SEQUENCES);
    await markUnsentPayoutsUnknown(client, new Date(header.at));
    for (const table of tables) await client.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`);
    await client.query('COMMIT');
  });
}

/** Sets each column's sequence to continue after the column's highest number. */
const SEQUENCES = `DO $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT c.oid::regclass AS name, a.attname, s.oid::regclass AS sequence
    FROM pg_class s JOIN pg_depend d ON d.objid = s.oid AND d.deptype IN ('a', 'i')
      JOIN pg_class c ON c.oid = d.refobjid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
    WHERE s.relkind = 'S' AND c.relnamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('SELECT setval(%L, greatest(max(%I), 0) + 1, false) FROM %s', v.sequence, v.attname, v.name);
  END LOOP;
END $$`;

/** The rows of a table, up to the empty frame behind them. */
async function* rowsOf(reader: FrameReader): AsyncGenerator<Buffer> {
  for (let bytes = await readFrame(reader); bytes.length > 0; bytes = await readFrame(reader)) yield bytes;
}

async function readFrame(reader: FrameReader): Promise<Buffer> {
  const bytes = await reader.next();
  if (!bytes) throw new BackupError('The backup was cut off: take another one.');
  return bytes;
}

const readJson = async (reader: FrameReader): Promise<unknown> => JSON.parse((await readFrame(reader)).toString());

async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ made: boolean }>(`SELECT to_regclass('merchants') IS NOT NULL AS made`);
  if (!rows[0]?.made) return;
  const { rowCount } = await client.query('SELECT FROM merchants LIMIT 1');
  if (rowCount !== 0) {
    throw new BackupError(
      'This database has merchants: restore into an empty one (another TRILHO_HOME, or another DATABASE_URL).',
    );
  }
}

/** Compares checksums, too: a migration of the same name with another text makes other tables. */
async function assertSameMigrations(client: pg.Client, header: BackupHeader): Promise<void> {
  const here = new Map((await findAppliedMigrations(client)).map(({ name, checksum }) => [name, checksum]));
  const missing = header.migrations.find(({ name, checksum }) => here.get(name) !== checksum);
  if (missing)
    throw new BackupError(
      `The backup was made by another version, with the migration ${missing.name}: restore it there.`,
    );
  const further = [...here.keys()].find((name) => !header.migrations.some((one) => one.name === name));
  if (further)
    throw new BackupError(`This database has ${further}, which the backup has not: restore into an empty one.`);
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relpersistence = 'p' AND relname <> '_prisma_migrations'`,
  );
  return rows.map(({ name }) => name);
}
