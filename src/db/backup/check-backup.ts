import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { openDatabase } from '../connection/database.ts';
import { withClient } from '../connection/with-client.ts';
import { checkLedger, type LedgerReport } from '../ledger/check-ledger.ts';
import { BackupError } from './backup-error.ts';
import { type RestoreReport, restoreBackup } from './restore-backup.ts';
import type { Opening } from './sealed-stream.ts';

const PREFIX = 'trilho_check_';
const INSUFFICIENT_PRIVILEGE = '42501';
const MAY_NOT_CREATE =
  'A check needs a database of its own, which the role of DATABASE_OWNER_URL (or else of DATABASE_URL) may not create: ALTER ROLE … CREATEDB lets it.';

/**
 * Restores a backup into a database of its own beside the installation's, migrates it to this
 * version, checks its ledger, and drops it. Shows what is in the file and that an upgrade would go
 * through. `ownerUrl` is of a role that may create databases. When `signal` aborts, the database is
 * dropped at once, and the queries in progress fail; what a check that was killed has left is
 * dropped by the next one. Throws as restoreBackup does, and BackupError where the role may not.
 */
export function checkBackup(
  ownerUrl: string,
  file: string,
  opening: Opening,
  signal?: AbortSignal,
): Promise<RestoreReport & { ledger: LedgerReport }> {
  return withClient(ownerUrl, async (client) => {
    await dropAbandoned(client);
    const name = await createLocked(client);
    const drop = () => withClient(ownerUrl, (other) => dropDatabase(other, name));
    // What fails here fails again below.
    const stop = () => void drop().catch(() => {});
    signal?.addEventListener('abort', stop);
    try {
      signal?.throwIfAborted();
      const scratch = new URL(ownerUrl);
      scratch.pathname = name;
      const report = await restoreBackup(scratch.href, file, opening);
      const db = openDatabase(scratch.href, { max: 1 });
      try {
        return { ...report, ledger: await checkLedger(db.pool) };
      } finally {
        await db.close();
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      await drop();
    }
  });
}

/**
 * Creates a database that the client holds a lock for, by which other checks know that this one is
 * under way. Locks are known within one database, so that the name has the number of the
 * installation's.
 */
async function createLocked(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT $1 || oid || '_' || $2 AS name FROM pg_database WHERE datname = current_database()`,
    [PREFIX, randomUUID().replaceAll('-', '')],
  );
  const name = rows[0]?.name ?? '';
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
  await client.query(`CREATE DATABASE ${name}`).catch((error: { code?: string }) => {
    throw error.code === INSUFFICIENT_PRIVILEGE ? new BackupError(MAY_NOT_CREATE) : error;
  });
  return name;
}

/** Drops the databases of this installation's checks whose process is gone. */
async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.datname AS name FROM pg_database c JOIN pg_database own ON own.datname = current_database()
     WHERE starts_with(c.datname::text, $1 || own.oid || '_')`,
    [PREFIX],
  );
  for (const { name } of rows) {
    const { rows: locked } = await client.query<{ isFree: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isFree"',
      [name],
    );
    if (!locked[0]?.isFree) continue;
    await dropDatabase(client, name);
    await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
  }
}

/**
 * Ends the sessions of its own role in the database, and waits a moment for others. FORCE would
 * fail where a session of autovacuum is in it, which only a superuser may end.
 */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
    [name],
  );
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
}
