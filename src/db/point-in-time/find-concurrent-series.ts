import { basename } from 'node:path';
import type { ArchiveSeries } from './archive-names.ts';

/**
 * Returns two series to which copies were added by turns: two databases archive into one folder at
 * once. Null: each series had ended when the next one began, as where a database was restored. Only
 * the names of the copies are compared: the files' own times are those of whoever moved them last.
 */
export function findConcurrentSeries(all: readonly ArchiveSeries[]): [ArchiveSeries, ArchiveSeries] | null {
  const begun = all.filter(({ bases }) => bases.length > 0).sort((a, b) => firstOf(a) - firstOf(b));
  for (const [at, one] of begun.entries()) {
    const next = begun[at + 1];
    if (next && lastOf(one) > firstOf(next)) return [one, next];
  }
  return null;
}

/** A series by its folder and the time of its copies, for an operator. */
export const describeSeries = (series: ArchiveSeries): string =>
  `${basename(series.folder)} (copies from ${isoOf(firstOf(series))} to ${isoOf(lastOf(series))})`;

const firstOf = ({ bases }: ArchiveSeries): number => bases[0]?.stoppedAt.getTime() ?? 0;
const lastOf = ({ bases }: ArchiveSeries): number => bases.at(-1)?.stoppedAt.getTime() ?? 0;
const isoOf = (ms: number): string => new Date(ms).toISOString();
