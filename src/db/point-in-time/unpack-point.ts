import { mkdir, open, stat, truncate, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BackupError } from '../backup/backup-error.ts';
import { createFrameReader, type FrameReader } from '../backup/frames.ts';
import { openSealedFile } from '../backup/open-sealed-file.ts';
import type { Opening } from '../backup/sealed-stream.ts';
import { type ArchiveSeries, type BaseCopy, listSeries, type SegmentName } from './archive-names.ts';
import { describeSeries, findConcurrentSeries } from './find-concurrent-series.ts';
import { isOthersSeries } from './is-others-series.ts';
import { nextSegment } from './log-position.ts';
import type { BaseEntry, BaseHeader } from './write-base.ts';

/** What a data folder was unpacked from. */
export type Unpacked = {
  password: string;
  baseStoppedAt: Date;
  /** When the archive was last written to. */
  archivedAt: Date;
};

/** The server that is to read what is unpacked. */
export type Reader = { majorVersion: number; architecture: string };

/**
 * Unpacks the newest base copy that was complete at `at` into a new data folder, with the log from
 * there to beyond that instant, or to the end of the archive where `at` is null. What other keys
 * sealed is left out, unless there is nothing else. A server that is
 * started on it (startRestored) replays that log. Throws BackupError for a folder without such a
 * copy, for one that two databases archived into at once under the same keys, for one with a gap in
 * its log, and for files of another kind of server or other keys.
 */
export async function unpackPoint(
  data: string,
  { folder, at, opening, reader }: { folder: string; at: Date | null; opening: Opening; reader: Reader },
): Promise<Unpacked> {
  const { series, base, next } = choose(await ownSeries(folder, opening), at);
  const header = await unpackBase(data, base, { opening, reader });
  const names = segmentsFrom(series, base, { until: next?.last, segmentBytes: BigInt(header.segmentBytes) });
  for (const name of names) {
    const target = join(data, 'pg_wal', name);
    const { bytes, close } = openSealedFile(series.segments.get(name)?.path ?? '', opening);
    try {
      await writeFile(target, bytes, { mode: 0o600 });
    } finally {
      close();
    }
    // A segment that was still written to ends early: its rest is filled with zeros, as PostgreSQL
    // does it.
    await truncate(target, header.segmentBytes);
  }
  return { password: header.password, baseStoppedAt: base.stoppedAt, archivedAt: await lastWritten(series) };
}

/**
 * The series that these keys open: another installation may archive its log in the same folder.
 * Where they open none, all of them, the newest of which says so.
 */
async function ownSeries(folder: string, { keys }: Opening): Promise<ArchiveSeries[]> {
  const all = await listSeries(folder);
  const areOthers = await Promise.all(all.map((series) => isOthersSeries(series, keys)));
  const own = all.filter((_, index) => !areOthers[index]);
  return own.length > 0 ? own : all;
}

/** `next`: the base copy after it, whose log reaches beyond `at`. */
function choose(
  all: readonly ArchiveSeries[],
  at: Date | null,
): { series: ArchiveSeries; base: BaseCopy; next: BaseCopy | undefined } {
  const bases = all.flatMap((series) =>
    series.bases.map((base, index) => ({ series, base, next: series.bases[index + 1] })),
  );
  const usable = bases
    .filter(({ base }) => at === null || base.stoppedAt <= at)
    .sort((a, b) => a.base.stoppedAt.getTime() - b.base.stoppedAt.getTime());
  const newest = usable.at(-1);
  const concurrent = findConcurrentSeries(all.filter((series) => usable.some((one) => one.series === series)));
  if (concurrent) {
    throw new BackupError(
      `Two databases archived into this folder at once, so the newest copy may be the other one’s: ${concurrent.map(describeSeries).join(' and ')}. Move away the folder that is not this installation’s, and restore again.`,
    );
  }
  if (newest) return newest;
  const first = bases.map(({ base }) => base.stoppedAt.toISOString()).sort()[0];
  throw new BackupError(
    first
      ? `The archive begins at ${first}: it can’t be restored to an earlier time.`
      : 'There is no log archive in this folder: name the BACKUP_FOLDER that it was written to.',
  );
}

function segmentsFrom(
  { segments }: ArchiveSeries,
  { first, last }: BaseCopy,
  { until, segmentBytes }: { until: SegmentName | undefined; segmentBytes: bigint },
): SegmentName[] {
  const names: SegmentName[] = [];
  for (let name = first; segments.has(name); name = nextSegment(name, segmentBytes)) {
    names.push(name);
    if (until !== undefined && name >= until) break;
  }
  const reached = names.at(-1) ?? '';
  const missing = [last, ...(until === undefined ? [...segments.keys()] : [until])].find((name) => name > reached);
  if (missing !== undefined) {
    throw new BackupError(`The log archive has a gap after ${reached || `the segment before ${first}`}.`);
  }
  return names;
}

async function lastWritten({ segments }: ArchiveSeries): Promise<Date> {
  const times = await Promise.all([...segments.values()].map(async ({ path }) => (await stat(path)).mtimeMs));
  return new Date(Math.max(...times));
}

async function unpackBase(
  data: string,
  base: BaseCopy,
  { opening, reader: server }: { opening: Opening; reader: Reader },
): Promise<BaseHeader> {
  const { bytes, close } = openSealedFile(base.path, opening);
  const reader = createFrameReader(bytes);
  try {
    const header = JSON.parse((await take(reader)).toString()) as BaseHeader;
    if (header.majorVersion !== server.majorVersion || header.architecture !== server.architecture) {
      throw new BackupError(
        `The copy is of PostgreSQL ${header.majorVersion} on ${header.architecture}, and can’t be read by ${server.majorVersion} on ${server.architecture}.`,
      );
    }
    for (;;) {
      const entry = JSON.parse((await take(reader)).toString()) as BaseEntry;
      const path = inside(data, entry.path);
      if (entry.kind === 'folder') await mkdir(path, { mode: 0o700 });
      else await unpackFile(reader, path);
      // It comes last: without it the copy was cut off.
      if (entry.kind === 'label') return header;
    }
  } finally {
    close();
  }
}

async function unpackFile(reader: FrameReader, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (let bytes = await take(reader); bytes.length > 0; bytes = await take(reader)) await file.write(bytes);
  } finally {
    await file.close();
  }
}

async function take(reader: FrameReader): Promise<Buffer> {
  const bytes = await reader.next();
  if (!bytes) throw new BackupError('The copy was cut off: restore from another one.');
  return bytes;
}

/** The path of an entry below the data folder. Throws BackupError for one that leads out of it. */
function inside(data: string, path: string): string {
  const joined = join(data, path);
  if (!joined.startsWith(data + sep)) throw new BackupError('The copy names a file outside of its folder.');
  return joined;
}
