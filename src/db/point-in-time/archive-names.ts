import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * PostgreSQL's own name of a segment of its log: timeline, and its place in it. Names sort in the
 * order of the log.
 */
export type SegmentName = string;

/** A copy of the whole data folder, which a restore begins with. */
export type BaseCopy = {
  path: string;
  /** The segments of the log that belong to it: without them it is not consistent. */
  first: SegmentName;
  last: SegmentName;
  /** The earliest instant that it can be restored to. */
  stoppedAt: Date;
};

/** A series of base copies and the whole log from the first of them on. */
export type ArchiveSeries = {
  folder: string;
  /** The oldest first. */
  bases: BaseCopy[];
  /** By name. `isOpen`: it was still being written to, and is archived as far as it went. */
  segments: Map<SegmentName, { path: string; isOpen: boolean }>;
};

const SERIES = /^trilho-log-[0-9a-f]{8}$/;
const BASE = /^base-([0-9A-F]{24})-([0-9A-F]{24})-(\d{8}T\d{9}Z)\.sealed$/;
const SEGMENT = /^([0-9A-F]{24})\.(log|open)\.sealed$/;

export const newSeriesId = (): string => randomBytes(4).toString('hex');
export const seriesFolder = (folder: string, id: string): string => join(folder, `trilho-log-${id}`);
export const segmentFile = (folder: string, name: SegmentName, state: 'log' | 'open'): string =>
  join(folder, `${name}.${state}.sealed`);

export function baseFile(
  folder: string,
  { first, last, stoppedAt }: Pick<BaseCopy, 'first' | 'last' | 'stoppedAt'>,
): string {
  return join(folder, `base-${first}-${last}-${stoppedAt.toISOString().replaceAll(/[-:.]/g, '')}.sealed`);
}

/** The series in a folder of backups. Files of other names are ignored. */
export async function listSeries(folder: string): Promise<ArchiveSeries[]> {
  const names = (await readdir(folder)).filter((name) => SERIES.test(name));
  return Promise.all(names.map((name) => readSeries(join(folder, name))));
}

/** Reads the names of a series' files; those of other names are ignored. */
export async function readSeries(folder: string): Promise<ArchiveSeries> {
  const series: ArchiveSeries = { folder, bases: [], segments: new Map() };
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    const [, first, last, stopped] = BASE.exec(name) ?? [];
    const [, segment, state] = SEGMENT.exec(name) ?? [];
    if (first && last && stopped) series.bases.push({ path, first, last, stoppedAt: parseInstant(stopped) });
    // "log" sorts before "open": the whole one counts.
    if (segment && !series.segments.has(segment)) series.segments.set(segment, { path, isOpen: state === 'open' });
  }
  series.bases.sort((a, b) => a.stoppedAt.getTime() - b.stoppedAt.getTime());
  return series;
}

const parseInstant = (text: string) =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, '$1-$2-$3T$4:$5:$6.$7Z'));
