import { type BackupFolder, nameBackup, openBackupFolder } from '#db/backup/backup-folder.ts';
import {
  beginScheduledBackup,
  deleteScheduledBackup,
  failScheduledBackup,
  findLastBackupTime,
  findScheduledBackup,
  finishScheduledBackup,
  listScheduledBackups,
  type ScheduledBackup,
  withBackupLock,
} from '#db/backup/scheduled-backups.ts';
import type { Sealing } from '#db/backup/sealed-stream.ts';
import { writeBackup } from '#db/backup/write-backup.ts';
import { lastBackupTime } from '#domain/backup/backup-times.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import type { Deps } from '../deps.ts';
import { sendMail } from '../mail/send-mail.ts';

/** When and how an installation takes backups. */
export type BackupSchedule = {
  /** The folder that they are written to. */
  folder: string;
  /** At which times of the day in São Paulo, in minutes after midnight. */
  times: readonly number[];
  keepDays: number;
  /** Null: backups are sealed with the master keys. */
  passphrase: string | null;
  /** The address that gets a mail when a backup fails. */
  notify: string | undefined;
};

const DAY_MS = 24 * 60 * 60_000;
/** A disk that was full is not empty within a minute, and the next try reads everything again. */
const RETRY_AFTER_MS = 15 * 60_000;
/** Workers look every minute: a backup that begins later than this was missed at its time. */
const LATE_AFTER_MS = 10 * 60_000;

type BackupDeps = Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers' | 'log' | 'observe'>;

/**
 * Takes the backup that is due last, unless it was taken, failed less than 15 minutes ago, or is
 * being taken by another process; before that it removes backups older than `keepDays`. A backup
 * that fails is stored as failed, logged and counted, the operator gets one message, and it is
 * tried again. One that `signal` stops did not fail: the next start takes it.
 */
export async function takeDueBackup(deps: BackupDeps, schedule: BackupSchedule, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  const dueAt = lastBackupTime(clock(), schedule.times);
  if (!isToTry(await findScheduledBackup(db, dueAt), clock())) return;
  await withBackupLock(db, async (client) => {
    // Another process may have had the lock until a moment ago.
    const before = await findScheduledBackup(db, dueAt);
    if (!isToTry(before, clock())) return;
    const folder = openBackupFolder(schedule.folder);
    const file = before?.file ?? nameBackup(dueAt);
    const backup = await beginScheduledBackup(db, { dueAt, file, now: clock() });
    // Before the new backup is written, so that there is room.
    await removeOld(deps, folder, schedule.keepDays);
    try {
      await take(deps, { backup, folder, before }, (path) =>
        writeBackup(client, path, { sealing: sealingOf(deps, schedule), signal }),
      );
    } catch (error) {
      if (signal.aborted) await deleteScheduledBackup(db, dueAt);
      else await noteFailure(deps, schedule, { backup, before, error });
    }
  });
}

const sealingOf = ({ secretBox }: BackupDeps, { passphrase }: BackupSchedule): Sealing =>
  passphrase === null ? { key: backupKeys(secretBox)[0] } : { passphrase };

/** Whether the backup is not taken yet and it is time for an attempt. */
const isToTry = (backup: ScheduledBackup | null, now: Date) =>
  !backup || (backup.takenAt === null && now.getTime() - backup.triedAt.getTime() >= RETRY_AFTER_MS);

async function take(
  { db, log, observe }: BackupDeps,
  { backup, folder, before }: { backup: ScheduledBackup; folder: BackupFolder; before: ScheduledBackup | null },
  write: (path: string) => Promise<{ at: Date; tables: number; bytes: number }>,
): Promise<void> {
  const { dueAt, file, triedAt } = backup;
  const lateMs = triedAt.getTime() - dueAt.getTime();
  // The very first backup was due before backups were configured: it is not late.
  if (!before && lateMs > LATE_AFTER_MS && (await findLastBackupTime(db))) {
    log.warn({ dueAt, file }, 'No worker ran when a backup was due; it is taken now.');
  }
  // A process that died may have left a part of the file, or the whole file without noting it.
  await folder.removePartial(file);
  const whole = await folder.sizeOf(file);
  const { at, bytes } =
    whole !== null && before ? { at: before.triedAt, bytes: whole } : await write(folder.pathOf(file));
  await finishScheduledBackup(db, dueAt, { takenAt: at, bytes });
  log.info({ dueAt, file, bytes }, 'A backup was taken.');
  observe({ kind: 'backup', outcome: 'done' });
}

async function noteFailure(
  deps: BackupDeps,
  { notify }: BackupSchedule,
  { backup, before, error }: { backup: ScheduledBackup; before: ScheduledBackup | null; error: unknown },
): Promise<void> {
  const { db, log, observe } = deps;
  const { dueAt, file, attempts } = backup;
  log.error({ dueAt, file, attempts, err: error }, 'A backup failed; trying again in 15 minutes.');
  observe({ kind: 'backup', outcome: 'failed' });
  const reason = error instanceof Error ? error.message : String(error);
  await failScheduledBackup(db, dueAt, reason);
  // An attempt before it whose process died has sent nothing.
  if (notify === undefined || (before !== null && before.error !== null)) return;
  await sendMail(deps, { to: notify, language: 'pt-BR', template: 'backup_failed', params: { dueAt, file, reason } });
}

/**
 * Removes backups older than `keepDays`, but never the newest whose file is there, however old it
 * is. A file that can't be removed is tried again with the next backup.
 */
async function removeOld({ db, clock, log }: BackupDeps, folder: BackupFolder, keepDays: number): Promise<void> {
  const until = clock().getTime() - keepDays * DAY_MS;
  let hasNewer = false;
  for (const { dueAt, file, takenAt } of await listScheduledBackups(db)) {
    try {
      const isThere = takenAt !== null && (await folder.sizeOf(file)) !== null;
      if (hasNewer && dueAt.getTime() < until) {
        await folder.removePartial(file);
        await folder.remove(file);
        await deleteScheduledBackup(db, dueAt);
        log.info({ dueAt, file }, 'An old backup was removed.');
      }
      hasNewer ||= isThere;
    } catch (error) {
      log.warn({ dueAt, file, err: error }, 'An old backup could not be removed; trying again with the next one.');
    }
  }
}
