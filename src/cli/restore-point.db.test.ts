import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSealedFile } from '#db/backup/open-sealed-file.ts';
import { writeBackup } from '#db/backup/write-backup.ts';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { migrate } from '#db/connection/migrate.ts';
import { withClient } from '#db/connection/with-client.ts';
import { endSeries, readLogState } from '#db/point-in-time/archive-log.ts';
import { readSeries, seriesFolder } from '#db/point-in-time/archive-names.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { startLogArchive } from '#jobs/start-log-archive.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { existingFolder } from '#postgres/embedded-postgres-folder.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { archivePoint, takeDueBase } from '#services/backup/archive-points.ts';
import type { Observation } from '#services/deps.ts';
import { PLAIN_ACCOUNT } from '#testing/plain-account.ts';

/** The next run of the tests removes what a killed one leaves of such folders. */
const HOME_PREFIX = 'trilho-test-restored-';
const CHECKOUT = join(import.meta.dirname, '../..');
const DAY_MS = 24 * 60 * 60_000;
const POLL_MS = 50;
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const never = new AbortController().signal;

const masterKeys = generateMasterKeys();
const secretBox = createSecretBox(masterKeys);
const homes: string[] = [];
let archive: string;
let server: EmbeddedPostgres;
let db: Database;
const observed: Observation[] = [];
/** By how many ms the service's clock is ahead. */
let aheadMs = 0;

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  chmodSync(home, 0o755);
  homes.push(home);
  return home;
}

beforeAll(async () => {
  archive = mkdtempSync(join(tmpdir(), 'trilho-archive-'));
  server = await startEmbeddedPostgres({ home: newHome(), purpose: 'test' });
  db = openDatabase(server.url, { max: 2 });
  await migrate(db, server.ownerUrl);
});
afterAll(async () => {
  await db.close();
  await server.stop();
  for (const home of homes) {
    rmSync(existingFolder(home) ?? home, { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
  }
  rmSync(archive, { recursive: true, force: true });
});

const deps = {
  clock: () => new Date(Date.now() + aheadMs),
  secretBox,
  log,
  observe: (observation: Observation) => void observed.push(observation),
};
const settings = (folder: string) => ({ folder, keepDays: 1, superuserUrl: server.ownerUrl });
const archiveNow = (folder = archive) => archivePoint(deps, settings(folder), { signal: never }).then(() => {});
const lookForBase = () => takeDueBase(deps, settings(archive), { archiveNow, signal: never });

/** Opens an account; returns an instant after it. */
async function merchant(name: string): Promise<Date> {
  await openAccount(
    { db, secretBox, clock: deps.clock, settings: { demo: true } },
    {
      ...PLAIN_ACCOUNT,
      name,
      email: `${name.toLowerCase()}@example.com`,
    },
  );
  // Instants are cut to milliseconds: the commits before and after are further away than that.
  await db.pool.query('SELECT pg_sleep(0.01)');
  const { rows } = await db.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  await db.pool.query('SELECT pg_sleep(0.01)');
  return rows[0]?.now ?? new Date();
}

const seriesFolders = () => readdirSync(archive).filter((name) => name.startsWith('trilho-log-'));
const series = () => readSeries(join(archive, seriesFolders()[0] ?? ''));

const restore = (home: string, ...args: string[]) => restoreFrom(archive, home, ...args);

const restoreFrom = (source: string, home: string, ...args: string[]) => startRestore(source, home, ...args).answer;

type Answer = { code: number; out: string; err: string };

function startRestore(source: string, home: string, ...args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { NODE_ENV: 'production' as const, PATH, NODE_COMPILE_CACHE, TRILHO_HOME: home, DEMO: 'true' };
  let resolve: (answer: Answer) => void;
  const answer = new Promise<Answer>((given) => {
    resolve = given;
  });
  const child = execFile(
    process.execPath,
    [join(CHECKOUT, 'src/cli/main.ts'), 'restore', source, ...args],
    { env: { ...env, MASTER_KEYS: masterKeys } },
    (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
  );
  return { child, answer };
}

async function merchantsOf(home: string): Promise<string[]> {
  const copy = await startEmbeddedPostgres({ home, purpose: 'service' });
  try {
    return await withClient(copy.url, async (client) => {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM merchants ORDER BY name');
      return rows.map(({ name }) => name);
    });
  } finally {
    await copy.stop();
  }
}

test('an operator brings an installation back to a time, or to the end of the archive, on an empty data folder', async () => {
  await lookForBase();
  await merchant('Ana');
  const between = await merchant('Bia');
  await merchant('Caio');
  await archiveNow();
  await merchant('Davi');
  expect(observed.at(-1)).toEqual({ kind: 'log_archived', at: expect.any(Date) });

  const home = newHome();
  const earlier = await restore(home, '--at', between.toISOString());
  expect(earlier).toMatchObject({ code: 0, out: expect.stringMatching(/0 transfers: balanced\. Start the service\./) });
  expect(await merchantsOf(home)).toEqual(['Ana', 'Bia']);
  expect(await restore(home)).toMatchObject({ code: 1, err: expect.stringContaining('has a database') });

  const checked = newHome();
  expect(await restore(checked, '--check')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was') });
  expect(existsSync(join(checked, 'postgres'))).toBe(false);
  expect(await restore(checked, '--at', '2026-11-23 04:00')).toMatchObject({
    code: 1,
    err: expect.stringContaining('a time with its zone'),
  });
});

test('a restore to a time that is interrupted while it unpacks leaves no database', async () => {
  const home = newHome();
  const { child, answer } = startRestore(archive, home);
  child.stderr?.once('data', () => child.kill('SIGINT'));
  expect(await answer).toMatchObject({ code: 1, err: expect.stringContaining('Unpacking the archive') });
  expect((await answer).err).toContain('Interrupted');
  expect(existingFolder(realpathSync(home))).toBeUndefined();
});

test('an operator restores a backup into a data folder whose database was lost; until it is there, no service starts', async () => {
  const home = newHome();
  // As root: the server's user can't reach it, and the database is outside of it.
  chmodSync(home, 0o700);
  const first = await startEmbeddedPostgres({ home, purpose: 'service' });
  await first.stop();
  rmSync(existingFolder(realpathSync(home)) ?? '', { recursive: true });
  const serve = () => startEmbeddedPostgres({ home, purpose: 'service' }).then((started) => started.stop());
  await expect(serve()).rejects.toThrow('to start afresh');

  const file = join(archive, 'lost.backup');
  await withClient(server.ownerUrl, (client) =>
    writeBackup(client, file, { sealing: { key: backupKeys(secretBox)[0] } }),
  );
  const nothing = join(archive, 'nothing.backup');
  writeFileSync(nothing, 'nothing');
  expect(await restoreFrom(nothing, home)).toMatchObject({
    code: 1,
    err: expect.stringContaining('no backup of Trilho'),
  });
  await expect(serve()).rejects.toThrow('run the restore again');
  expect(await restoreFrom(file, home)).toMatchObject({ code: 0, out: expect.stringContaining('start the service') });
  expect(await merchantsOf(home)).toEqual(['Ana', 'Bia', 'Caio', 'Davi']);
});

test('a copy is taken once a day, and is removed with its log once the kept days no longer need it', async () => {
  await lookForBase();
  const [first] = (await series()).bases;
  expect((await series()).bases).toHaveLength(1);
  aheadMs = DAY_MS;
  await lookForBase();
  aheadMs = 0;
  const { bases, segments } = await series();
  expect(bases).toHaveLength(1);
  expect(bases[0]?.path).not.toBe(first?.path);
  expect([...segments.keys()].sort()[0]).toBe(bases[0]?.first);
  await merchant('Eva');
  await archiveNow();
  const home = newHome();
  expect(await restore(home)).toMatchObject({ code: 0 });
  expect(await merchantsOf(home)).toEqual(['Ana', 'Bia', 'Caio', 'Davi', 'Eva']);
});

test('the log is not copied again while nothing is written', async () => {
  let archived: bigint | undefined;
  let before: number | undefined;
  let changed = true;
  // PostgreSQL itself writes now and then.
  while (changed) {
    before = await openSegmentTime();
    const position = await archivePoint(deps, settings(archive), { since: archived, signal: never });
    changed = position !== archived;
    archived = position;
  }
  expect(await openSegmentTime()).toBe(before);
});

const openSegmentTime = async () => {
  const open = [...(await series()).segments.values()].find(({ isOpen }) => isOpen);
  return open && statSync(open.path).mtimeMs;
};

test('an archive that is away loses nothing: PostgreSQL keeps its log until it is back', async () => {
  const away = join(archive, 'not-mounted');
  await expect(archiveNow(away)).rejects.toThrow('ENOENT');
  const { archived } = await withClient(server.ownerUrl, readLogState);
  await withClient(server.ownerUrl, (client) => client.query('SELECT pg_switch_wal()'));
  await merchant('Fabio');
  await withClient(server.ownerUrl, (client) => client.query('CHECKPOINT'));
  expect((await withClient(server.ownerUrl, readLogState)).archived).toBe(archived);
  await archiveNow();
  expect((await withClient(server.ownerUrl, readLogState)).archived).toBeGreaterThan(archived);
  expect(seriesFolders()).toHaveLength(1);
});

test('PostgreSQL keeps no log once the archive is off; turned on again it begins another series, and a stop archives its end', async () => {
  await withClient(server.ownerUrl, endSeries);
  expect((await withClient(server.ownerUrl, readLogState)).seriesId).toBeNull();
  const stop = startLogArchive({ ...deps, db, wakeWorkers: () => {} }, { ...settings(archive), notify: undefined });
  const own = async () => {
    const { seriesId } = await withClient(server.ownerUrl, readLogState);
    return seriesId === null ? null : readSeries(seriesFolder(archive, seriesId));
  };
  while (((await own())?.bases.length ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  expect(seriesFolders()).toHaveLength(2);
  await merchant('Gil');
  const { flushed, segmentBytes } = await withClient(server.ownerUrl, readLogState);
  await stop();
  const open = [...((await own())?.segments.values() ?? [])].find(({ isOpen }) => isOpen);
  const content = openSealedFile(open?.path ?? '', { passphrase: null, keys: backupKeys(secretBox) });
  let length = 0;
  for await (const chunk of content.bytes) length += chunk.length;
  content.close();
  expect(length).toBeGreaterThanOrEqual(Number(flushed % segmentBytes));
});
