import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { frame } from '../backup/frames.ts';
import type { Sealing } from '../backup/sealed-stream.ts';
import { PARTIAL, writeSealedFile } from '../backup/write-sealed-file.ts';
import { FAST, readLogState } from './archive-log.ts';
import { type BaseCopy, baseFile } from './archive-names.ts';
import { parsePosition, segmentAt } from './log-position.ts';

/** The first frame of a base copy. */
export type BaseHeader = {
  /** Only a server of the same major version reads these files. */
  majorVersion: number;
  architecture: string;
  segmentBytes: number;
  /** Of the role that owns the database, as the copied data folder has it. */
  password: string;
};
/** Before the content of a file; a folder has none. The last one is PostgreSQL's label. */
export type BaseEntry = { path: string; kind: 'file' | 'folder' | 'label' };

const READ_BYTES = 256 * 1024;

/**
 * What PostgreSQL makes again at each start, or finds in the log (its manual, 25.3.4 "Backing Up
 * The Data Directory"): the folder stays, its content does not.
 */
const EMPTIED = new Set([
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
/** Last, as pg_basebackup has it. */
const CONTROL_FILE = 'global/pg_control';
const LEFT_OUT = /^(postmaster\.(pid|opts)|pgsql_tmp.*|pg_internal\.init.*|backup_label(\.old)?|tablespace_map)$/;

/**
 * Copies the server's whole data folder into a file of the series while the server runs. `archive`
 * has to bring the log to the archive: the copy is of no use without it. `client` is a connection
 * of the superuser, to which PostgreSQL ties the backup: nothing else may use it meanwhile. A copy
 * that fails, or that `signal` stops, leaves nothing.
 */
export async function writeBase(
  client: pg.Client,
  folder: string,
  options: { sealing: Sealing; password: string; archive: () => Promise<void>; signal?: AbortSignal | undefined },
): Promise<BaseCopy> {
  const { sealing, password, archive, signal } = options;
  const state = await readLogState(client);
  const { rows: begun } = await client.query<{ start: string; version: number }>(
    `SELECT pg_backup_start('trilho', true)::text AS start, current_setting('server_version_num')::int / 10000 AS version`,
  );
  const header: BaseHeader = {
    majorVersion: begun[0]?.version ?? 0,
    architecture: `${process.platform}-${process.arch}`,
    segmentBytes: Number(state.segmentBytes),
    password,
  };
  let stop: { position: string; stoppedAt: Date } | undefined;
  async function* frames(): AsyncGenerator<Buffer> {
    // One for all files: a data folder has thousands of small ones.
    const read = Buffer.allocUnsafe(READ_BYTES);
    yield frame(Buffer.from(JSON.stringify(header)));
    yield* framesOf(state.dataFolder, '', read);
    yield* framesOfFile(state.dataFolder, CONTROL_FILE, read);
    const { rows } = await client.query<{ position: string; label: string; stoppedAt: Date }>(
      `SELECT lsn::text AS position, labelfile AS label, clock_timestamp() AS "stoppedAt" FROM pg_backup_stop(false)`,
    );
    const [row] = rows;
    if (!row) return;
    stop = row;
    yield entry({ path: 'backup_label', kind: 'label' });
    yield frame(Buffer.from(row.label));
    yield frame(Buffer.alloc(0));
  }
  const draft = join(folder, 'base');
  // A process that was killed may have left them; only one copies at a time.
  for (const left of [draft, draft + PARTIAL]) await rm(left, { force: true });
  await writeSealedFile(draft, frames(), { sealing, signal, level: FAST, beforeNamed: archive });
  const first = segmentAt(parsePosition(begun[0]?.start ?? ''), state);
  if (!stop) throw new Error('PostgreSQL did not end its backup.');
  const last = segmentAt(parsePosition(stop.position) - 1n, state);
  const { stoppedAt } = stop;
  const path = baseFile(folder, { first, last, stoppedAt });
  await rename(draft, path);
  return { path, first, last, stoppedAt };
}

async function* framesOf(data: string, below: string, read: Buffer): AsyncGenerator<Buffer> {
  for (const found of await readdir(join(data, below), { withFileTypes: true }).catch(ifThere([]))) {
    if (LEFT_OUT.test(found.name)) continue;
    const path = join(below, found.name);
    if (found.isDirectory()) {
      yield entry({ path, kind: 'folder' });
      if (!EMPTIED.has(path)) yield* framesOf(data, path, read);
    } else if (found.isFile()) {
      if (path !== CONTROL_FILE) yield* framesOfFile(data, path, read);
    } else throw new Error(`${path} is neither a file nor a folder: it can’t be copied.`);
  }
}

async function* framesOfFile(data: string, path: string, read: Buffer): AsyncGenerator<Buffer> {
  const file = await open(join(data, path)).catch(ifThere(null));
  // Removed meanwhile: the log says so, too.
  if (!file) return;
  yield entry({ path, kind: 'file' });
  yield* contentOf(file, read);
  yield frame(Buffer.alloc(0));
}

const entry = (of: BaseEntry): Buffer => frame(Buffer.from(JSON.stringify(of)));

/**
 * As it is read, into `read`, which a frame copies: what is changed meanwhile is in the log.
 */
async function* contentOf(file: FileHandle, read: Buffer): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const { bytesRead } = await file.read(read, 0, read.length);
      if (bytesRead === 0) return;
      yield frame(read.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

const ifThere =
  <T>(otherwise: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  };
