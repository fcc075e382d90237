import type { Command } from 'commander';
import { processEnvironment } from '#config/environment.ts';
import { checkBackup } from '#db/backup/check-backup.ts';
import { restoreBackup } from '#db/backup/restore-backup.ts';
import { listScheduledBackups, type ScheduledBackup } from '#db/backup/scheduled-backups.ts';
import type { Sealing } from '#db/backup/sealed-stream.ts';
import { type BackupReport, writeBackup } from '#db/backup/write-backup.ts';
import { migrate } from '#db/connection/migrate.ts';
import { withClient } from '#db/connection/with-client.ts';
import { backupKeys, formatBackupPublicKey, parseBackupPublicKey } from '#domain/encryption/backup-keys.ts';
import { finishRestore } from '#postgres/unfinished-restore.ts';
import { checkMasterKeys, MasterKeyError } from '#services/encryption/check-master-keys.ts';
import { explained, isFolder, readPassphrase } from './backup-input.ts';
import { CommandError, openOwnSecretBox, withContext } from './context.ts';
import { counted } from './counted.ts';
import { print } from './print.ts';
import { parseInstant } from './read-instant.ts';
import { restorePoint } from './restore-point.ts';
import { withoutInterruption } from './without-interruption.ts';

type BackupRow = Omit<ScheduledBackup, 'bytes'> & { bytes: number | null };
type RestoreOptions = Options & { fromPublicKey?: boolean; check?: boolean; at?: string };
type Options = { passphraseFile?: string; json?: boolean };

/** Adds the commands of backups: backup, backup-key, backups, restore. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description('write the whole database to a file, sealed with the master keys, while the service runs')
    .option('--passphrase-file <path>', 'seal it with the passphrase in the first line of this file instead')
    .option('--public-key <key>', 'seal it with this key of "backup-key" instead: the master keys are not needed here')
    .option('--json', 'answer in JSON')
    .action(backup);
  program
    .command('backup-key')
    .description('the public half of the master keys: whoever has it takes backups that only the master keys open')
    .option('--json', 'answer in JSON')
    .action(showBackupKey);
  program
    .command('backups')
    .description('the backups of the schedule (BACKUP_FOLDER), the newest first; exit code 1 where the last one failed')
    .option('--json', 'answer in JSON')
    .action(listBackups);
  program
    .command('restore <file>')
    .description('bring a backup, or a folder with a log archive, into an empty database, all of it or nothing')
    .option('--passphrase-file <path>', 'where it is sealed with a passphrase: a file whose first line is that')
    .option(
      '--at <time>',
      'of a log archive: as it was at this time, such as 2026-11-23T14:05:00-03:00; default: all of it',
    )
    .option(
      '--from-public-key',
      'it was sealed with the public key, as anybody could have done it: you know where it is from',
    )
    .option('--check', 'only try it: restore into a database beside this one, check its ledger, and remove it')
    .option('--json', 'answer in JSON')
    .action(restore);
}

async function backup(file: string, options: Options & { publicKey?: string }): Promise<void> {
  const { json } = options;
  const report = await withoutInterruption((signal) => takeBackup(file, options, signal));
  print(json, { ...report, file }, () => [
    `${report.tables} tables as they were at ${report.at.toISOString()}, ${report.bytes} bytes, are in ${file}.`,
    'The master keys are not in it: keep them too, apart from it.',
  ]);
}

async function takeBackup(
  file: string,
  { passphraseFile, publicKey }: { passphraseFile?: string; publicKey?: string },
  signal: AbortSignal,
): Promise<BackupReport> {
  if (passphraseFile !== undefined && publicKey !== undefined) {
    throw new CommandError('A backup is sealed with a passphrase or for a key: give one of the two.');
  }
  const write = (url: string, sealing: Sealing) =>
    explained(withClient(url, (client) => writeBackup(client, file, { sealing, signal })));
  const { databaseDirectUrl } = processEnvironment();
  if (publicKey !== undefined) {
    const sealing = { publicKey: readPublicKey(publicKey) };
    // Without withContext where possible: it makes master keys where there are none.
    return databaseDirectUrl
      ? write(databaseDirectUrl, sealing)
      : withContext(({ db }) => write(db.directUrl, sealing), 'check keys');
  }
  const passphrase = readPassphrase(passphraseFile);
  // It is taken before an upgrade, also by the new version: the database stays one of the old one.
  return withContext(
    ({ db, secretBox }) =>
      write(db.directUrl, passphrase === null ? { key: backupKeys(secretBox)[0] } : { passphrase }),
    'check keys',
  );
}

function showBackupKey({ json }: { json?: boolean }): void {
  const secretBox = openOwnSecretBox(processEnvironment());
  const publicKey = formatBackupPublicKey(backupKeys(secretBox)[0].publicKey);
  print(json, { publicKey }, () => [publicKey]);
}

async function listBackups({ json }: { json?: boolean }): Promise<void> {
  const backups = await withContext(({ db }) => listScheduledBackups(db));
  const rows = backups.map(({ bytes, ...backup }) => ({ ...backup, bytes: bytes === null ? null : Number(bytes) }));
  print(json, rows, () => (rows.length === 0 ? ['None was taken by the schedule yet.'] : rows.map(backupLine)));
  if (rows[0]?.error) process.exitCode = 1;
}

const backupLine = ({ dueAt, file, takenAt, bytes, error, attempts }: BackupRow) =>
  takenAt
    ? `${dueAt.toISOString()}  ${file}  ${bytes} bytes`
    : `${dueAt.toISOString()}  ${error ? `FAILED, ${counted(attempts, 'attempt')}: ${error}` : 'being taken'}`;

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { passphraseFile, fromPublicKey = false, check = false, at, json } = options;
  if (isFolder(file)) return restoreArchive(file, { check, at: readTime(at), json });
  if (at !== undefined) throw new CommandError('A backup is of one moment: --at is for the folder of a log archive.');
  const passphrase = readPassphrase(passphraseFile);
  if (check) return checkFile(file, { passphrase, json });
  const report = await withContext(async ({ env, db, ownerUrl, secretBox, clock }) => {
    const opening = { passphrase, keys: backupKeys(secretBox), acceptsPublicKey: fromPublicKey };
    const onFilled = () => {
      if (!env.databaseUrl) finishRestore(env.home);
    };
    const restored = await explained(restoreBackup(ownerUrl, file, opening, { onFilled }));
    await migrate(db, ownerUrl);
    await checkMasterKeys({ db, secretBox, clock }).catch((error: unknown) => {
      if (!(error instanceof MasterKeyError)) throw error;
      throw new CommandError(`Restored, but not with the master keys of the backup: ${error.message}`);
    });
    return restored;
  }, 'restore');
  // Only once its own server has stopped: an output that nobody reads ends the process at once.
  print(json, report, () => [summary(report), 'Check it with "ledger check --full", then start the service.']);
}

async function checkFile(
  file: string,
  { passphrase, json }: { passphrase: string | null; json: boolean | undefined },
): Promise<void> {
  const report = await withoutInterruption((signal) =>
    withContext(({ ownerUrl, secretBox }) => {
      // A check changes nothing, so it accepts a backup that anybody could have sealed.
      const opening = { passphrase, keys: backupKeys(secretBox), acceptsPublicKey: true };
      return explained(checkBackup(ownerUrl, file, opening, signal));
    }, 'make a database'),
  );
  const balanced = report.ledger.discrepancies.length === 0;
  print(json, { ok: balanced, ...report }, () => [
    ...report.ledger.discrepancies.map(({ rule, detail }) => `DISCREPANCY: ${rule}: ${detail}`),
    `${summary(report)} ${counted(report.ledger.transfers, 'transfer')}: ${balanced ? 'balanced' : 'NOT balanced'}. Nothing was changed here.`,
  ]);
  if (!balanced) process.exitCode = 1;
}

async function restoreArchive(
  folder: string,
  { check, at, json }: { check: boolean; at: Date | null; json: boolean | undefined },
): Promise<void> {
  const report = await explained(restorePoint({ folder, at, check }));
  const { base, lastCommit, archivedAt, ledger } = report;
  const balanced = ledger.discrepancies.length === 0;
  print(json, { ok: balanced, ...report }, () => [
    ...ledger.discrepancies.map(({ rule, detail }) => `DISCREPANCY: ${rule}: ${detail}`),
    `From the copy of ${base.toISOString()} brought to the last commit${at ? ` until ${at.toISOString()}` : ''}, which is of ` +
      `${lastCommit?.toISOString() ?? 'that copy'}; the archive was last written to at ${archivedAt.toISOString()}.`,
    `${counted(ledger.transfers, 'transfer')}: ${balanced ? 'balanced' : 'NOT balanced'}. ${check ? 'Nothing was changed here.' : 'Start the service.'}`,
  ]);
  if (!balanced) process.exitCode = 1;
}

function readTime(text: string | undefined): Date | null {
  if (text === undefined) return null;
  // A restore to another hour would lose an hour.
  const time = parseInstant(text);
  if (!time) {
    throw new CommandError('--at has to be a time with its zone, such as 2026-11-23T14:05:00-03:00.');
  }
  return time;
}

const summary = ({ at, tables, migrated }: { at: Date; tables: number; migrated: string[] }) =>
  `${tables} tables as they were at ${at.toISOString()}, then ${migrated.length} migrations of this version.`;

function readPublicKey(text: string): Buffer {
  const publicKey = parseBackupPublicKey(text);
  if (!publicKey) throw new CommandError('This is no public key for backups: "backup-key" shows yours.');
  return publicKey;
}
