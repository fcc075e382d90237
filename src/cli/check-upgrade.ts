import { join } from 'node:path';
import { type RestoreReport, restoreBackup } from '#db/backup/restore-backup.ts';
import { writeBackup } from '#db/backup/write-backup.ts';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { migrate } from '#db/connection/migrate.ts';
import { withClient } from '#db/connection/with-client.ts';
import { checkLedger, type LedgerReport } from '#db/ledger/check-ledger.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import { withScratchPostgres } from '#postgres/scratch-postgres.ts';
import { checkMasterKeys } from '#services/encryption/check-master-keys.ts';
import type { CommandContext } from './context.ts';

type UpgradeOptions = {
  /** The database to copy, or the file of a backup. */
  from: Database | string;
  passphrase: string | null;
  signal: AbortSignal;
  onProgress: (message: string) => void;
};

/**
 * Copies the database into a server of its own, brings the copy to this version, and checks its
 * ledger and the master keys. The database itself is only read. Throws as restoreBackup,
 * checkMasterKeys and withScratchPostgres do.
 */
export async function checkUpgrade(
  { env, secretBox, clock }: Pick<CommandContext, 'env' | 'secretBox' | 'clock'>,
  { from, passphrase, signal, onProgress }: UpgradeOptions,
): Promise<RestoreReport & { ledger: LedgerReport }> {
  const keys = backupKeys(secretBox);
  return withScratchPostgres({ mayAddUser: env.mayAddUser, onProgress, signal }, async (scratch) => {
    const backup = typeof from === 'string' ? from : join(scratch.folder, 'upgrade.backup');
    if (typeof from !== 'string') {
      onProgress('Copying the database');
      const sealing = { key: keys[0] };
      await withClient(from.directUrl, (client) => writeBackup(client, backup, { sealing, signal }));
    }
    onProgress('Bringing the copy to this version');
    const restored = await restoreBackup(scratch.ownerUrl, backup, { passphrase, keys, acceptsPublicKey: true });
    onProgress('Checking the copy');
    const copy = openDatabase(scratch.url, { max: 1 });
    try {
      // What the role that serves may do in it.
      await migrate(copy, scratch.ownerUrl);
      await checkMasterKeys({ db: copy, secretBox, clock });
      return { ...restored, ledger: await checkLedger(copy.pool) };
    } finally {
      await copy.close();
    }
  });
}
