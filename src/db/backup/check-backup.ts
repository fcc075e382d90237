import { randomUUID } from 'node:crypto';
import { openDatabase } from '../connection/database.ts';
import { withClient } from '../connection/with-client.ts';
import { checkLedger, type LedgerReport } from '../ledger/check-ledger.ts';
import { type RestoreReport, restoreBackup } from './restore-backup.ts';
import type { Opening } from './sealed-stream.ts';

/**
 * Restores a backup into a database of its own beside the installation's, migrates it to this
 * version, checks its ledger, and drops it. Shows what is in the file and that an upgrade would go
 * through. `ownerUrl` is of a role that may create databases. When `signal` aborts, the database is
 * dropped at once, and the queries in progress fail. Throws as restoreBackup does.
 */
export async function checkBackup(
  ownerUrl: string,
  file: string,
  opening: Opening,
  signal?: AbortSignal,
): Promise<RestoreReport & { ledger: LedgerReport }> {
  const name = `trilho_check_${randomUUID().replaceAll('-', '')}`;
  await withClient(ownerUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const drop = () => withClient(ownerUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
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
}
