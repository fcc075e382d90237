import { withClient } from '#db/connection/with-client.ts';
import { archiveLog } from '#db/point-in-time/archive-log.ts';
import { readSeries } from '#db/point-in-time/archive-names.ts';
import type { LogPosition } from '#db/point-in-time/log-position.ts';
import { openSeries } from '#db/point-in-time/open-series.ts';
import { removeOldPoints } from '#db/point-in-time/remove-old-points.ts';
import { writeBase } from '#db/point-in-time/write-base.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import type { Deps } from '../deps.ts';

/** Where the log of the embedded server is archived. */
export type PointArchive = {
  folder: string;
  keepDays: number;
  /** The connection URL of the server's superuser, with the password. */
  superuserUrl: string;
};

const DAY_MS = 24 * 60 * 60_000;
/** A restore replays at most a day. */
const BASE_EVERY_MS = DAY_MS;

type ArchiveDeps = Pick<Deps, 'clock' | 'secretBox' | 'log' | 'observe'>;

/**
 * Archives the log up to what is on the disk: whatever is lost later, a restore can reach this
 * moment. Only one call may run at a time. Returns the position to pass as `since` to the next one.
 */
export async function archivePoint(
  deps: ArchiveDeps,
  archive: PointArchive,
  { since, signal }: { since?: LogPosition | undefined; signal: AbortSignal },
): Promise<LogPosition> {
  const at = deps.clock();
  const archived = await withClient(archive.superuserUrl, async (client) => {
    const { path, isNew } = await openSeries(client, archive.folder);
    if (isNew)
      deps.log.warn({ path }, 'A series of the log archive begins: what was before is in another one, or nowhere.');
    return archiveLog(client, path, { sealing: sealingOf(deps), since: isNew ? undefined : since, signal });
  });
  deps.observe({ kind: 'log_archived', at });
  return archived;
}

/**
 * Takes a base copy where the newest one is a day old, and then removes what is older than
 * `keepDays`. `archiveNow` archives the log, at a time when no other call does.
 */
export async function takeDueBase(
  deps: ArchiveDeps,
  archive: PointArchive,
  { archiveNow, signal }: { archiveNow: () => Promise<void>; signal: AbortSignal },
): Promise<void> {
  const { clock, log } = deps;
  const { folder, keepDays, superuserUrl } = archive;
  // This begins a series where there is none.
  await archiveNow();
  await withClient(superuserUrl, async (client) => {
    const { path: series } = await openSeries(client, folder);
    const newest = (await readSeries(series)).bases.at(-1);
    if (newest && clock().getTime() - newest.stoppedAt.getTime() < BASE_EVERY_MS) return;
    const password = decodeURIComponent(new URL(superuserUrl).password);
    const { path } = await writeBase(client, series, {
      sealing: sealingOf(deps),
      password,
      archive: archiveNow,
      signal,
    });
    log.info({ path }, 'A copy of the data folder was taken, which restores begin with.');
    await removeOldPoints(series, new Date(clock().getTime() - keepDays * DAY_MS));
  });
}

/** Not a passphrase: deriving its key would take tenths of a second for each piece of the log. */
const sealingOf = ({ secretBox }: ArchiveDeps) => ({ key: backupKeys(secretBox)[0] });
