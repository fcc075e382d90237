import { type BackupSchedule, takeDueBackup } from '#services/backup/take-due-backup.ts';
import type { Deps } from '#services/deps.ts';

/** Nobody waits for a backup by the second. */
const LOOK_EVERY_MS = 60_000;

/**
 * Takes the backups of the schedule, and at once the last one if no process took it at its time.
 * Returns the function that stops this, and with it a backup that is being written.
 */
export function startBackups(deps: Deps, schedule: BackupSchedule): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let underway: Promise<void> | undefined;
  const look = () => {
    underway ??= takeDueBackup(deps, schedule, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) deps.log.warn({ err: error }, 'Could not look whether a backup is due; trying again.');
      })
      .finally(() => {
        underway = undefined;
      });
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  look();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await underway;
  };
}
