import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { processesNamed, processFolder, processStart } from './running-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const WAIT_MAX_MS = 250;
const wait = (ms: number, signal: AbortSignal) =>
  sleep(Math.min(ms, WAIT_MAX_MS), undefined, { signal }).catch(() => {});

let home: string;
let server: EmbeddedPostgres;
const lines: string[] = [];
const onGone = vi.fn();

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'trilho-restart-'));
  // As root the server runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  const supervise = { onTrouble: (line: string) => lines.push(line), onGone, wait };
  server = await startEmbeddedPostgres({ home, purpose: 'service', supervise });
  // Beside the service's tables: with one among them the database would be another program's.
  await query('CREATE SCHEMA beside');
  await query('CREATE TABLE beside.kept AS SELECT 42 AS answer');
});

afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

test('when its main process is killed, with its sessions left or with all of them, the server runs again on the same port with every committed row', async () => {
  for (const kill of [killMain, killAll]) {
    const before = mainProcess();
    kill();
    await answersAgain();
    expect(mainProcess()).not.toBe(before);
    expect(await query('SELECT answer FROM beside.kept')).toEqual([{ answer: 42 }]);
    expect(await query('SHOW fsync')).toEqual([{ fsync: 'on' }]);
  }
  expect(onGone).not.toHaveBeenCalled();
});

test('a session that continues after its main process was killed is ended before the new server starts', async () => {
  const busy = new pg.Client({ connectionString: server.ownerUrl });
  const cut = once(busy, 'error');
  busy.on('error', () => {});
  await busy.connect();
  const [{ pid }] = (await busy.query('SELECT pg_backend_pid() AS pid')).rows;
  const work = busy.query('SELECT count(*) FROM generate_series(1, 1e9::bigint)').catch(() => {});
  // While stopped it can't notice by itself that its main process is gone.
  process.kill(pid, 'SIGSTOP');
  killMain();
  await answersAgain();
  await Promise.all([cut, work]);
  expect(processStart(pid)).toBeUndefined();
});

test('the log of a running server is emptied once it has 10 MB, which are kept beside it, and goes on with whole lines', async () => {
  const log = join(dataFolder(), '../postgres.log');
  appendFileSync(log, 'x'.repeat(11 * 1024 * 1024));
  await vi.waitFor(() => expect(statSync(log).size).toBeLessThan(1024 * 1024), 60_000);
  expect(statSync(`${log}.1`).size).toBeGreaterThan(11 * 1024 * 1024);
  await expect(query('SELECT nonsense')).rejects.toThrow();
  await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toMatch(/^20.*"nonsense" does not exist/m), 60_000);
  expect(readFileSync(log, 'utf8')).not.toContain('\0');
});

test('an obstacle that goes away by itself costs no more than the time that it was there', async () => {
  const settings = join(dataFolder(), 'postgresql.auto.conf');
  const before = readFileSync(settings);
  appendFileSync(settings, 'nonsense = on\n');
  killMain();
  await vi.waitFor(() => expect(lines.join()).toMatch(/did not start, trying again: .*contains errors/), 60_000);
  writeFileSync(settings, before);
  await answersAgain();
});

test('a server that is stopped while it is being started again stays stopped', async () => {
  killMain();
  await server.stop();
  expect(processesOnData().size).toBe(0);
});

test('a service whose data were removed ends with one line and exit code 1, and puts no empty database in their place', async () => {
  const data = dataFolder();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      ...process.env,
      TRILHO_HOME: home,
      MASTER_KEYS: generateMasterKeys(),
      ROLE: 'worker',
      PORT: '0',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors] = [collect(child.stdout), collect(child.stderr)];
  const ended = once(child, 'exit');
  await vi.waitFor(() => expect(out.text).toContain('is ready'), 60_000);
  killAll();
  // At once: a server that is being started again would write into a folder that is being emptied.
  const gone = `${data}-gone`;
  renameSync(data, gone);
  const [code] = await ended;
  expect([code, errors.text]).toEqual([
    1,
    `trilho: The database in ${data} was removed while the service ran. Restore it from a backup.\n`,
  ]);
  expect(existsSync(data)).toBe(false);
  rmSync(gone, { recursive: true, force: true });
});

function collect(stream: Readable): { text: string } {
  const collected = { text: '' };
  stream.on('data', (chunk) => {
    collected.text += chunk;
  });
  return collected;
}

const killMain = () => process.kill(mainProcess(), 'SIGKILL');

function killAll(): void {
  for (const pid of processesOnData()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with its main process.
    }
  }
}

const mainProcess = () => Number.parseInt(readFileSync(join(dataFolder(), 'postmaster.pid'), 'utf8'), 10);

const processesOnData = () => new Set(processesNamed('postgres').filter((pid) => processFolder(pid) === dataFolder()));

const answersAgain = () => vi.waitFor(() => query('SELECT 1'), { timeout: 60_000, interval: 50 });

/** Root's data may be outside of the data folder. */
function dataFolder(): string {
  const placeFile = join(home, 'postgres-folder');
  return join(existsSync(placeFile) ? readFileSync(placeFile, 'utf8') : join(home, 'postgres'), 'data');
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.ownerUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
