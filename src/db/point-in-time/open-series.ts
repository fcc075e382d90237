import { mkdir } from 'node:fs/promises';
import type pg from 'pg';
import { beginSeries, readLogState } from './archive-log.ts';
import { newSeriesId, seriesFolder } from './archive-names.ts';
import { fileExists } from './file-exists.ts';

/**
 * Returns the folder that this database's log is archived in, below `folder`, which has to exist.
 * Begins another series where PostgreSQL keeps its log for none, or the folder of its series is
 * gone: that is so for a new database, for one that was restored, and where archiving stopped for
 * too long.
 */
export async function openSeries(client: pg.Client, folder: string): Promise<{ path: string; isNew: boolean }> {
  const { seriesId } = await readLogState(client);
  if (seriesId !== null && (await fileExists(seriesFolder(folder, seriesId)))) {
    return { path: seriesFolder(folder, seriesId), isNew: false };
  }
  const id = newSeriesId();
  const path = seriesFolder(folder, id);
  await mkdir(path, { mode: 0o700 });
  await beginSeries(client, id);
  return { path, isNew: true };
}
