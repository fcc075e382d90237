import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { Purpose } from './embedded-postgres-owner.ts';
import { processStart } from './running-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let home: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'trilho-embedded-'));
  // As root the server runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
});

afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
  // A command takes over whatever a killed owner left running.
  const server = await startEmbeddedPostgres({ home, purpose: 'command' });
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

test('what the first start wrote is there on the second, and only our user may read the passwords', async () => {
  const first = await startEmbeddedPostgres({ home, purpose: 'service' });
  await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  const second = await startEmbeddedPostgres({ home, purpose: 'service' });
  expect(await query(second.ownerUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  expect(await query(second.ownerUrl, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  expect(await query(second.ownerUrl, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  for (const file of ['postgres-password', 'postgres-service-password']) {
    expect(statSync(join(home, file)).mode & 0o077).toBe(0);
  }
  await second.stop();
});

test('the service has a role that is no superuser, also when the first start was killed before it was there', async () => {
  const first = await startEmbeddedPostgres({ home, purpose: 'service' });
  await query(first.ownerUrl, 'DROP ROLE trilho_service');
  await first.stop();
  rmSync(join(home, 'postgres-service-password'));
  const second = await startEmbeddedPostgres({ home, purpose: 'service' });
  const who = 'SELECT current_user, rolsuper FROM pg_roles WHERE rolname = current_user';
  expect(await query(second.url, who)).toEqual([{ current_user: 'trilho_service', rolsuper: false }]);
  expect(await query(second.ownerUrl, who)).toEqual([{ current_user: 'trilho', rolsuper: true }]);
  await second.stop();
});

test('a database that is gone is reported at the next start, never replaced by an empty one', async () => {
  const server = await startEmbeddedPostgres({ home, purpose: 'service' });
  await server.stop();
  const away = `${dataFolder()}-away`;
  renameSync(dataFolder(), away);
  await expect(startEmbeddedPostgres({ home, purpose: 'service' })).rejects.toThrow(/Restore it from a backup/);
  renameSync(away, dataFolder());
});

test('a database for which the disk has no room is reported with that reason, and leaves nothing in its folder', async () => {
  // Files of at most so many blocks of 512 bytes, as on a full disk.
  const startLimited = (blocks: number) => {
    const program = `import('${join(import.meta.dirname, 'embedded-postgres.ts')}').then(({ startEmbeddedPostgres }) =>
      startEmbeddedPostgres({ home: process.argv[1], purpose: 'command' })).catch(({ message }) => { console.log(message); process.exit(1); })`;
    const limited = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, '-e', program, home];
    return promisify(execFile)('sh', limited).catch(({ stdout }: { stdout: string }) => stdout);
  };
  expect(await startLimited(0)).toContain('(EFBIG). Make room there');
  expect(readdirSync(home)).toEqual([]);
  expect(await startLimited(1_000)).toMatch(/could not be created in .*: could not .*: File too large\./);
  expect(existsSync(dataFolder())).toBe(false);
});

test('a wrong password is rejected', async () => {
  const server = await startEmbeddedPostgres({ home, purpose: 'service' });
  const wrong = new URL(server.url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  await server.stop();
});

test('a command beside a running service shares its server and leaves it running', async () => {
  const service = await otherProcess('service');
  const command = await startEmbeddedPostgres({ home, purpose: 'command' });
  expect(command).toMatchObject({ adopted: true, url: service.url });
  await command.stop();
  expect(await query(service.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a second service on the same data folder is rejected, under any name of the folder', async () => {
  const service = await otherProcess('service');
  const message = `Trilho already runs on this data folder (process ${service.pid}). Stop it first, or set TRILHO_HOME to another folder.`;
  for (const name of [home, `${home}/../${home.split('/').at(-1)}`]) {
    await expect(startEmbeddedPostgres({ home: name, purpose: 'service' })).rejects.toMatchObject({
      code: 'ALREADY_RUNNING',
      message,
    });
  }
});

test('after kill -9 of the service the next start stops its server and has every committed row', async () => {
  const service = await otherProcess('service');
  await query(service.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const postmaster = postmasterPid();
  await kill(service.child);
  expect(processStart(postmaster)).toBeDefined();

  const next = await startEmbeddedPostgres({ home, purpose: 'service' });
  expect(next.adopted).toBe(false);
  expect(processStart(postmaster)).toBeUndefined();
  expect(await query(next.ownerUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await next.stop();
});

test('after kill -9 of the service and of its server the next start recovers every committed row', async () => {
  const service = await otherProcess('service');
  await query(service.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(postmasterPid(), 'SIGKILL');
  await kill(service.child);
  const next = await startEmbeddedPostgres({ home, purpose: 'service' });
  expect(await query(next.ownerUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await next.stop();
});

test('of services that start at the same moment exactly one wins', async () => {
  const starts = await Promise.allSettled(Array.from({ length: 4 }, () => otherProcess('service')));
  const won = starts.filter((start) => start.status === 'fulfilled');
  const lost = starts.filter((start) => start.status === 'rejected');
  expect(won).toHaveLength(1);
  expect(lost.map((start) => start.reason.message)).toEqual(Array(3).fill('ALREADY_RUNNING'));
});

test('of services that start at the same moment after a kill exactly one takes over', async () => {
  await kill((await otherProcess('service')).child);
  const starts = await Promise.allSettled(Array.from({ length: 4 }, () => otherProcess('service')));
  expect(starts.filter((start) => start.status === 'fulfilled')).toHaveLength(1);
});

test('a service waits for a command that is using the data folder', async () => {
  const command = await startEmbeddedPostgres({ home, purpose: 'command' });
  const progress: string[] = [];
  const service = startEmbeddedPostgres({ home, purpose: 'service', onProgress: (message) => progress.push(message) });
  await vi.waitFor(() => expect(progress).toEqual([expect.stringContaining('Waiting for process')]), 60_000);
  await command.stop();
  await (await service).stop();
});

test('a process id in a stale lock file that is another program by now neither hinders the start nor is signalled', async () => {
  const first = await startEmbeddedPostgres({ home, purpose: 'service' });
  await first.stop();
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(bystander);
  writeFileSync(join(dataFolder(), 'postmaster.pid'), `${bystander.pid}\n${dataFolder()}\n`);
  writeFileSync(
    join(home, 'postgres-owner.9.json'),
    JSON.stringify({ pid: bystander.pid, startedAt: 'another', purpose: 'service' }),
  );
  const second = await startEmbeddedPostgres({ home, purpose: 'service' });
  expect(await query(second.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(processStart(bystander.pid ?? 0)).toBeDefined();
  await second.stop();
});

test('a first start that was killed half way is made again from the beginning', async () => {
  const halfMade = join(dataFolder(), '../data.1');
  mkdirSync(halfMade, { recursive: true });
  writeFileSync(join(halfMade, 'PG_VERSION'), '18');
  const server = await startEmbeddedPostgres({ home, purpose: 'service' });
  expect(existsSync(halfMade)).toBe(false);
  await server.stop();
});

test('a data folder that cannot be written is rejected with one line that says what to do', async () => {
  const file = join(home, 'a-file');
  writeFileSync(file, '');
  const start = startEmbeddedPostgres({ home: join(file, 'home'), purpose: 'service' });
  await expect(start).rejects.toMatchObject({
    code: 'HOME_UNWRITABLE',
    message: expect.stringMatching(/^Can't write to the data folder .* or set TRILHO_HOME to another folder\.$/),
  });
});

test('a lost password file is reported, never replaced', async () => {
  const server = await startEmbeddedPostgres({ home, purpose: 'service' });
  await server.stop();
  const password = readFileSync(join(home, 'postgres-password'));
  rmSync(join(home, 'postgres-password'));
  await expect(startEmbeddedPostgres({ home, purpose: 'service' })).rejects.toThrow(/postgres-password is missing/);
  writeFileSync(join(home, 'postgres-password'), password);
});

type OtherProcess = { pid: number; url: string; ownerUrl: string; child: ChildProcess };

/** Starts the server from a separate process, which then stays. Rejects with the error's code. */
async function otherProcess(purpose: Purpose): Promise<OtherProcess> {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))});
    try {
      const { url, ownerUrl } = await startEmbeddedPostgres({ home: ${JSON.stringify(home)}, purpose: '${purpose}' });
      console.log(url + ' ' + ownerUrl);
      setInterval(() => {}, 1000);
    } catch (error) {
      console.log(error.code ?? error);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  if (!line.startsWith('postgresql:')) throw new Error(line);
  const [url, ownerUrl] = line.split(' ');
  return { pid: child.pid ?? 0, url, ownerUrl, child };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Where this run's data is; root's may be outside of the data folder. */
function dataFolder(): string {
  const placeFile = join(home, 'postgres-folder');
  return join(existsSync(placeFile) ? readFileSync(placeFile, 'utf8') : join(home, 'postgres'), 'data');
}

const postmasterPid = () => Number.parseInt(readFileSync(join(dataFolder(), 'postmaster.pid'), 'utf8'), 10);

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
