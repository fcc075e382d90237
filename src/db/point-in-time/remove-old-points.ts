import { rm } from 'node:fs/promises';
import { readSeries } from './archive-names.ts';

/**
 * Removes from a series what no restore to `until` or a later instant needs: base copies that are
 * followed by another one from before `until`, and the log before the oldest copy that is left.
 */
export async function removeOldPoints(folder: string, until: Date): Promise<void> {
  const { bases, segments } = await readSeries(folder);
  const kept = bases.filter((_, at) => {
    const next = bases[at + 1];
    return !next || next.stoppedAt >= until;
  });
  const first = kept[0]?.first;
  if (first === undefined) return;
  for (const base of bases) if (!kept.includes(base)) await rm(base.path);
  for (const [name, { path }] of segments) if (name < first) await rm(path);
}
