import { processEnvironment } from '#config/environment.ts';
import { openDatabase } from '#db/connection/database.ts';
import { migrate } from '#db/connection/migrate.ts';
import { withClient } from '#db/connection/with-client.ts';
import { checkLedger, type LedgerReport } from '#db/ledger/check-ledger.ts';
import { markRestoredPayouts } from '#db/point-in-time/mark-restored-payouts.ts';
import { type Unpacked, unpackPoint } from '#db/point-in-time/unpack-point.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import type { EmbeddedPostgres, StartOptions } from '#postgres/embedded-postgres.ts';
import { MAJOR_VERSION } from '#postgres/embedded-postgres-server.ts';
import { putData, removeData } from '#postgres/put-data.ts';
import { withScratchPostgres } from '#postgres/scratch-postgres.ts';
import { startRestored } from '#postgres/start-restored.ts';
import { finishRestore } from '#postgres/unfinished-restore.ts';
import { checkMasterKeys } from '#services/encryption/check-master-keys.ts';
import { CommandError, openOwnSecretBox } from './context.ts';
import { withoutInterruption } from './without-interruption.ts';

type PointReport = {
  /** When the copy that it begins with was taken. */
  base: Date;
  /** The last commit that was replayed from the log; null: there was none. */
  lastCommit: Date | null;
  archivedAt: Date;
  ledger: LedgerReport;
};

const onProgress = (message: string) => console.error(`  ${message}`);

/**
 * Restores the data folder's database from a log archive, as it was at `at`, or up to the end of
 * the archive; with `check` in a server of its own, which is removed. A payout that was not sent at
 * that time may have been sent since, so it becomes unknown: its provider is asked before it is
 * sent. Throws CommandError, BackupError, MasterKeyError and StartError.
 */
export async function restorePoint(options: { folder: string; at: Date | null; check: boolean }): Promise<PointReport> {
  const { folder, at, check } = options;
  const env = processEnvironment();
  if (env.databaseUrl) {
    throw new CommandError('A log archive is of the embedded PostgreSQL: restore it without DATABASE_URL.');
  }
  const secretBox = openOwnSecretBox(env, 'backup');
  const reader = { majorVersion: MAJOR_VERSION, architecture: `${process.platform}-${process.arch}` };
  const opening = { passphrase: null, keys: backupKeys(secretBox) };
  let unpacked: Unpacked | undefined;
  const startWithin = (signal: AbortSignal) => async (into: StartOptions) => {
    onProgress('Unpacking the archive');
    await putData({ home: into.home, mayAddUser: env.mayAddUser, onProgress }, async (data) => {
      unpacked = await unpackPoint(data, { folder, at, opening, reader });
      signal.throwIfAborted();
      return unpacked;
    });
    return startRestored({ ...into, at });
  };
  const work = async (server: Pick<EmbeddedPostgres, 'url' | 'ownerUrl'>): Promise<PointReport> => {
    if (!unpacked) throw new Error('Nothing was unpacked.');
    const { baseStoppedAt: base, archivedAt } = unpacked;
    return { base, archivedAt, ...(await finish(server, secretBox, base)) };
  };
  const { home, mayAddUser } = env;
  if (check) {
    return withoutInterruption((signal) =>
      withScratchPostgres({ mayAddUser, onProgress, signal, start: startWithin(signal) }, work),
    );
  }
  return withoutInterruption(async (signal) => {
    try {
      const server = await startWithin(signal)({ home, purpose: 'command', mayAddUser, onProgress });
      signal.addEventListener('abort', () => void server.stop());
      const restored = async () => {
        // The event is over where the interruption came while the server started.
        signal.throwIfAborted();
        return work(server);
      };
      const report = await restored().finally(() => server.stop());
      finishRestore(home);
      return report;
    } catch (error) {
      // A failed restore leaves nothing; a database that was there before is not removed.
      if (unpacked) removeData(home);
      throw error;
    }
  });
}

async function finish(
  { url, ownerUrl }: Pick<EmbeddedPostgres, 'url' | 'ownerUrl'>,
  secretBox: SecretBox,
  baseStoppedAt: Date,
): Promise<Pick<PointReport, 'lastCommit' | 'ledger'>> {
  const db = openDatabase(url, { max: 1 });
  try {
    onProgress('Checking it');
    await migrate(db, ownerUrl);
    const lastCommit = await withClient(ownerUrl, (client) => markRestoredPayouts(client, baseStoppedAt));
    await checkMasterKeys({ db, secretBox, clock: () => new Date() });
    return { lastCommit, ledger: await checkLedger(db.pool) };
  } finally {
    await db.close();
  }
}
