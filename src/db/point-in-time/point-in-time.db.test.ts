import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { existingFolder } from '#postgres/embedded-postgres-folder.ts';
import { putData, removeData } from '#postgres/put-data.ts';
import { startRestored } from '#postgres/start-restored.ts';
import { BackupError } from '../backup/backup-error.ts';
import { writeSealedFile } from '../backup/write-sealed-file.ts';
import { withClient } from '../connection/with-client.ts';
import { archiveLog, beginSeries, readLogState } from './archive-log.ts';
import { baseFile, seriesFolder } from './archive-names.ts';
import { unpackPoint } from './unpack-point.ts';
import { writeBase } from './write-base.ts';

/** The next run of the tests removes what a killed one leaves of such folders. */
const HOME_PREFIX = 'trilho-test-point-';
const SERIES = '0a1b2c3d';

const keys = backupKeys(createSecretBox(generateMasterKeys()));
const sealing = { key: keys[0] };
const opening = { passphrase: null, keys };
const reader = { majorVersion: 18, architecture: `${process.platform}-${process.arch}` };

let root: string;
let archive: string;
let series: string;
let server: EmbeddedPostgres;
/** Instants by the numbers that were written just before them. */
const after = new Map<number, Date>();
const homes: string[] = [];

const newHome = () => {
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  chmodSync(home, 0o755);
  homes.push(home);
  return home;
};
const onServer = <T>(work: (client: pg.Client) => Promise<T>, { ownerUrl } = server): Promise<T> =>
  withClient(ownerUrl, work);
const write = (number: number) =>
  onServer(async (client) => {
    await client.query('INSERT INTO numbers VALUES ($1)', [number]);
    // An instant is cut to milliseconds: the commits around it are further away than that.
    await client.query('SELECT pg_sleep(0.01)');
    const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    after.set(number, rows[0]?.now ?? new Date());
    await client.query('SELECT pg_sleep(0.01)');
  });
const archiveNow = () => onServer(async (client) => void (await archiveLog(client, series, { sealing })));
const base = () =>
  onServer((client) => writeBase(client, series, { sealing, password: passwordOf(server), archive: archiveNow }));
const passwordOf = ({ ownerUrl }: EmbeddedPostgres) => new URL(ownerUrl).password;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'trilho-archive-'));
  archive = join(root, 'archive');
  series = seriesFolder(archive, SERIES);
  mkdirSync(series, { recursive: true });
  server = await startEmbeddedPostgres({ home: newHome(), purpose: 'test' });
  await onServer((client) => client.query('CREATE TABLE numbers (number int PRIMARY KEY)'));
  await write(1);
  await onServer((client) => beginSeries(client, SERIES));
  await base();
  await write(2);
  await write(3);
  // Segments that are whole, and one that is not.
  await onServer((client) => client.query('SELECT pg_switch_wal()'));
  await write(4);
  await archiveNow();
  await base();
  await write(5);
  await archiveNow();
  await write(6);
  // Of another installation, in the same folder, and newer.
  const others = seriesFolder(archive, 'ffffffff');
  mkdirSync(others);
  const [key] = backupKeys(createSecretBox(generateMasterKeys()));
  const [first, last] = ['000000010000000000000001', '000000010000000000000002'];
  const stoppedAt = new Date('2099-01-01');
  await writeSealedFile(baseFile(others, { first, last, stoppedAt }), Readable.from([Buffer.from('copy')]), {
    sealing: { key },
  });
});
afterAll(async () => {
  await server.stop();
  for (const home of homes) {
    rmSync(existingFolder(home) ?? home, { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
  }
  rmSync(root, { recursive: true, force: true });
});

/** The numbers of a server that is started from the archive. */
async function restored(at: Date | null, folder = archive): Promise<number[]> {
  const home = newHome();
  await putData({ home, mayAddUser: true, onProgress: () => {} }, (data) =>
    unpackPoint(data, { folder, at, opening, reader }),
  );
  const copy = await startRestored({ home, purpose: 'test', at });
  try {
    return await onServer(async (client) => {
      const { rows } = await client.query<{ number: number }>('SELECT number FROM numbers ORDER BY number');
      await client.query('INSERT INTO numbers VALUES (100)');
      return rows.map(({ number }) => number);
    }, copy);
  } finally {
    await copy.stop();
  }
}

test('a server is brought back to an instant between two commits, from the copy before it, and serves', async () => {
  expect(await restored(after.get(2) ?? null)).toEqual([1, 2]);
});

test('a restore to an instant after the last commit of the unpacked log has all that was committed before it', async () => {
  // The copy after it begins another segment.
  expect(await restored(after.get(4) ?? null)).toEqual([1, 2, 3, 4]);
});

test('a restore without an instant has all that was committed up to the end of its own archive', async () => {
  expect(await restored(null)).toEqual([1, 2, 3, 4, 5]);
});

test('an archive with a gap, without a copy that is old enough, or of other keys is rejected', async () => {
  const copyOf = (name: string, without: (file: string) => boolean) => {
    const folder = join(root, name);
    const target = seriesFolder(folder, SERIES);
    mkdirSync(target, { recursive: true });
    const files = readdirSync(series).sort();
    for (const file of files.filter((one) => !without(one))) copyFileSync(join(series, file), join(target, file));
    return folder;
  };
  const logs = readdirSync(series).filter((file) => /^[0-9A-F]{24}\./.test(file));
  expect(logs.length).toBeGreaterThan(2);
  const gap = copyOf('gap', (file) => file === logs[1]);
  await expect(restored(after.get(2) ?? null, gap)).rejects.toThrow('has a gap');
  await expect(restored(new Date('2020-01-01'))).rejects.toThrow('The archive begins at');
  await expect(
    restored(
      null,
      copyOf('empty', () => true),
    ),
  ).rejects.toThrow('There is no log archive');
  const others = { passphrase: null, keys: backupKeys(createSecretBox(generateMasterKeys())) };
  const unpacked = unpackPoint(join(root, 'data'), { folder: archive, at: null, opening: others, reader });
  await expect(unpacked).rejects.toThrow(BackupError);
});

test('a data folder whose restore was interrupted serves nothing, and the restore can be run again', async () => {
  const home = newHome();
  const unpack = () =>
    putData({ home, mayAddUser: true, onProgress: () => {} }, (data) =>
      unpackPoint(data, { folder: archive, at: null, opening, reader }),
    );
  await unpack();
  const served = startEmbeddedPostgres({ home, purpose: 'service' });
  await expect(served.then((started) => started.stop())).rejects.toThrow('was interrupted');
  await unpack();
});

test('a restore removes what one before it unpacked that was killed', async () => {
  const home = newHome();
  const left = join(home, 'postgres', 'data.1');
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, 'PG_VERSION'), '18');
  await putData({ home, mayAddUser: true, onProgress: () => {} }, (data) =>
    unpackPoint(data, { folder: archive, at: null, opening, reader }),
  );
  expect(readdirSync(join(home, 'postgres'))).toEqual(['data']);
});

test('a restore that failed, or whose database was lost, can be run again, also where another user than this one has the database', async () => {
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  homes.push(home);
  const unpack = () =>
    putData({ home, mayAddUser: true, onProgress: () => {} }, (data) =>
      unpackPoint(data, { folder: archive, at: null, opening, reader }),
    );
  await unpack();
  removeData(home);
  await unpack();
  // Lost with its disk, not removed by a restore.
  rmSync(existingFolder(home) ?? '', { recursive: true });
  await unpack();
});

test('a segment is archived once, and PostgreSQL keeps what was not archived', async () => {
  const before = readdirSync(series).filter((file) => file.includes('.log.'));
  await archiveNow();
  expect(readdirSync(series).filter((file) => file.includes('.log.'))).toEqual(before);
  await onServer(async (client) => {
    const { archived, flushed } = await readLogState(client);
    expect(archived).toBeLessThanOrEqual(flushed);
    await client.query('SELECT pg_switch_wal()');
  });
  await write(7);
  await archiveNow();
  expect(readdirSync(series).filter((file) => file.includes('.log.'))).toHaveLength(before.length + 1);
  expect(readdirSync(series).filter((file) => file.includes('.open.'))).toHaveLength(1);
});
