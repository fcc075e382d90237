import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '../connection/database.ts';
import { checkLedger, type LedgerReport } from '../ledger/check-ledger.ts';
import { type RestoreReport, restoreBackup } from './restore-backup.ts';

/**
 * Restores a backup into a database of its own beside the installation's, migrates it to this
 * version, checks its ledger, and removes it: what is in the file, and whether an upgrade would go
 * through. `ownerUrl` is of a role that may create databases. Throws as restoreBackup does.
 */
export async function checkBackup(
  ownerUrl: string,
  file: string,
  passphrase: string,
): Promise<RestoreReport & { ledger: LedgerReport }> {
  const name = `trilho_check_${randomUUID().replaceAll('-', '')}`;
  await onServer(ownerUrl, `CREATE DATABASE ${name}`);
  try {
    const scratch = new URL(ownerUrl);
    scratch.pathname = name;
    const report = await restoreBackup(scratch.href, file, passphrase);
    const db = openDatabase(scratch.href, { max: 1 });
    try {
      return { ...report, ledger: await checkLedger(db.pool) };
    } finally {
      await db.close();
    }
  } finally {
    await onServer(ownerUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
