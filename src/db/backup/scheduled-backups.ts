import type pg from 'pg';
import type { Database } from '../connection/database.ts';
import { withClient } from '../connection/with-client.ts';

/** A backup that the schedule asked for; see the table `backups`. */
export type ScheduledBackup = {
  dueAt: Date;
  /** Its name in the folder of backups. */
  file: string;
  attempts: number;
  /** When the last attempt began, and why it failed. */
  triedAt: Date;
  error: string | null;
  /** When its snapshot was taken; null: not yet. */
  takenAt: Date | null;
  bytes: bigint | null;
};

/** Advisory lock: one process takes a backup at a time. An arbitrary value. */
const BACKUP_LOCK = 7_401_002;

/**
 * Runs `work` while a connection of its own holds the backup lock: when this process dies, the lock
 * is free for the next one. Does nothing while another process holds it.
 */
export async function withBackupLock(db: Database, work: (client: pg.Client) => Promise<void>): Promise<void> {
  await withClient(db.directUrl, async (client) => {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      BACKUP_LOCK,
    ]);
    if (rows[0]?.locked) await work(client);
  });
}

export const findScheduledBackup = (db: Database, dueAt: Date): Promise<ScheduledBackup | null> =>
  db.prisma.backup.findUnique({ where: { dueAt } });

/** The newest first. */
export const listScheduledBackups = (db: Database): Promise<ScheduledBackup[]> =>
  db.prisma.backup.findMany({ orderBy: { dueAt: 'desc' } });

/** When the newest backup was taken; null: none was. */
export async function findLastBackupTime(db: Database): Promise<Date | null> {
  const last = await db.prisma.backup.findFirst({
    where: { takenAt: { not: null } },
    orderBy: { dueAt: 'desc' },
    select: { takenAt: true },
  });
  return last?.takenAt ?? null;
}

/** Stores an attempt before it begins, so that its file is known even when the process dies. */
export const beginScheduledBackup = (
  db: Database,
  { dueAt, file, now }: { dueAt: Date; file: string; now: Date },
): Promise<ScheduledBackup> =>
  db.prisma.backup.upsert({
    where: { dueAt },
    create: { dueAt, file, triedAt: now },
    update: { attempts: { increment: 1 }, triedAt: now, error: null },
  });

/** Notes that the backup of `dueAt` was taken, and its size in bytes. */
export async function finishScheduledBackup(
  db: Database,
  dueAt: Date,
  { takenAt, bytes }: { takenAt: Date; bytes: number },
): Promise<void> {
  await db.prisma.backup.updateMany({ where: { dueAt }, data: { takenAt, bytes: BigInt(bytes), error: null } });
}

/** Notes why the last attempt at the backup of `dueAt` failed. */
export async function failScheduledBackup(db: Database, dueAt: Date, error: string): Promise<void> {
  await db.prisma.backup.updateMany({ where: { dueAt }, data: { error } });
}

export async function deleteScheduledBackup(db: Database, dueAt: Date): Promise<void> {
  await db.prisma.backup.deleteMany({ where: { dueAt } });
}
