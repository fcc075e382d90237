import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Sealing } from '../backup/sealed-stream.ts';
import { PARTIAL, writeSealedFile } from '../backup/write-sealed-file.ts';
import { segmentFile } from './archive-names.ts';
import { fileExists } from './file-exists.ts';
import { type LogLayout, type LogPosition, parsePosition, segmentAt } from './log-position.ts';

/**
 * The name of the replication slot that keeps PostgreSQL from removing what was not archived yet,
 * up to the id of its series. A database that was restored has no slot, and begins a series of its
 * own.
 */
const SLOT_PREFIX = 'trilho_log_';

/** zlib's fastest level: the log is compressed every half minute, beside the service. */
export const FAST = 1;

export type LogState = LogLayout & {
  dataFolder: string;
  /** The series that this database is archived in; null: none yet, or its slot fell behind. */
  seriesId: string | null;
  /** Everything before it is archived. */
  archived: LogPosition;
  /** Everything before it is on the disk. */
  flushed: LogPosition;
};

/**
 * Reads how far the log is written and archived. `client` is a connection of the server's
 * superuser.
 */
export async function readLogState(client: pg.Client): Promise<LogState> {
  const { rows } = await client.query<{
    dataFolder: string;
    segmentBytes: string;
    timeline: string;
    flushed: string;
    slot: string | null;
    archived: string | null;
  }>(
    `SELECT current_setting('data_directory') AS "dataFolder",
       pg_size_bytes(current_setting('wal_segment_size'))::text AS "segmentBytes",
       left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline, pg_current_wal_flush_lsn()::text AS flushed,
       slot_name AS slot, restart_lsn::text AS archived
     FROM (VALUES (1)) AS one LEFT JOIN pg_replication_slots
       ON starts_with(slot_name, $1) AND wal_status <> 'lost' AND restart_lsn IS NOT NULL
     ORDER BY slot_name LIMIT 1`,
    [SLOT_PREFIX],
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL did not say where its log is.');
  const { dataFolder, timeline, slot, archived } = row;
  return {
    dataFolder,
    timeline,
    segmentBytes: BigInt(row.segmentBytes),
    seriesId: slot?.slice(SLOT_PREFIX.length) ?? null,
    archived: parsePosition(archived ?? row.flushed),
    flushed: parsePosition(row.flushed),
  };
}

/** Has PostgreSQL keep its log from now on, for this series alone. */
export async function beginSeries(client: pg.Client, id: string): Promise<void> {
  await endSeries(client);
  await client.query('SELECT pg_create_physical_replication_slot($1, true)', [SLOT_PREFIX + id]);
}

/** Has PostgreSQL keep its log for no series any more: a slot that nobody reads fills the disk. */
export async function endSeries(client: pg.Client): Promise<void> {
  await client.query(
    `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE starts_with(slot_name, $1)`,
    [SLOT_PREFIX],
  );
}

/**
 * Copies what the log has and the archive has not: segments that are whole, each once, and the one
 * that is being written to, as far as it is on the disk. Returns the position before which
 * everything is archived. With that as `since`, the next call copies nothing unless something was
 * written. Throws when the slot is gone.
 */
export async function archiveLog(
  client: pg.Client,
  folder: string,
  { sealing, signal, since }: { sealing: Sealing; signal?: AbortSignal; since?: LogPosition | undefined },
): Promise<LogPosition> {
  const state = await readLogState(client);
  const { seriesId, segmentBytes, flushed, dataFolder } = state;
  if (seriesId === null) throw new Error('The log was not kept: its slot is gone.');
  const copy = async (name: string, bytes: bigint, to: 'log' | 'open') => {
    const file = segmentFile(folder, name, to);
    // A process that was killed may have left it; only one archives at a time.
    await rm(file + PARTIAL, { force: true });
    const segment = createReadStream(join(dataFolder, 'pg_wal', name), { end: Number(bytes) - 1 });
    await writeSealedFile(file, segment, { sealing, signal, level: FAST });
  };
  let start = (state.archived / segmentBytes) * segmentBytes;
  for (; start + segmentBytes <= flushed; start += segmentBytes) {
    const name = segmentAt(start, state);
    // It is there already where a crash came before the slot was moved; it does not change any
    // more.
    if (!(await fileExists(segmentFile(folder, name, 'log')))) await copy(name, segmentBytes, 'log');
    await rm(segmentFile(folder, name, 'open'), { force: true });
    await client.query(`SELECT pg_replication_slot_advance($1, '0/0'::pg_lsn + $2::numeric)`, [
      SLOT_PREFIX + seriesId,
      String(start + segmentBytes),
    ]);
  }
  if (flushed > start && flushed !== since) await copy(segmentAt(start, state), flushed - start, 'open');
  return flushed;
}
