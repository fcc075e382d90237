import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withClient } from '#db/connection/with-client.ts';
import { processesNamed, processFolder } from '#postgres/running-process.ts';
import { findOrAddSystemUser, type SystemUser } from '#postgres/system-user.ts';
import type { Closing } from '../bench/with-closing.ts';
import { findExecutable } from './find-executable.ts';

const DEPLOY = join(import.meta.dirname, '../deploy');
const NODES = ['node1', 'node2', 'node3'] as const;
type NodeName = (typeof NODES)[number];

/**
 * A program that is in PostgreSQL's own folder only: for others Debian has a script in another
 * folder.
 */
const BESIDE = 'pg_rewind';

/**
 * Below the ports that the system gives to outgoing connections, so that a node that comes back
 * finds its own port free.
 */
const PORTS = { from: 15_000, to: 30_000 };
/** initdb, two copies of it, and the first election, on a busy machine. */
const START_LIMIT_MS = 120_000;
/** The leader's key lasts for 20 s (ttl in deploy/patroni.yaml); three times that. */
const ELECTION_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const POLL_MS = 100;
const LAST_LINES = 15;
/** The first PgBouncer that keeps prepared statements in transaction mode. */
const PGBOUNCER_MIN = [1, 21] as const;

/** Three nodes of PostgreSQL under Patroni, with HAProxy in front of them, on loopback. */
export type PostgresCluster = {
  /** For the role that serves: PgBouncer's where it was asked for, else HAProxy's. */
  url: string;
  /** The URL for the same role without PgBouncer. */
  directUrl: string;
  ownerUrl: string;
  /** Waits until there is a primary that both others follow, one of them synchronously. */
  untilWhole(): Promise<void>;
  /** Kills the primary's Patroni and PostgreSQL with SIGKILL; returns its name. */
  killPrimary(): Promise<string>;
  /** Stops both with SIGSTOP, as on a machine that hangs; returns its name. */
  freezePrimary(): Promise<string>;
  /** Waits until another node is the primary; returns its name. */
  untilReplaced(away: string): Promise<string>;
  /** Waits until a commit is confirmed by the primary and a standby. */
  untilWritable(): Promise<void>;
  /** Starts a node that was killed, or continues a stopped one: it comes back as a standby. */
  startAgain(away: string): void;
};

export type ClusterOptions = { pooled: boolean };

/** Returns why a cluster can't be started on this machine; null: it has all that is needed. */
export function missingForCluster({ pooled }: ClusterOptions): string | null {
  const programs = ['patroni', 'etcd', 'haproxy', BESIDE, ...(pooled ? ['pgbouncer'] : [])];
  const missing = programs.filter((name) => findExecutable(name) === null);
  if (missing.length > 0) return `not on this machine: ${missing.join(', ')}`;
  if (!pooled) return null;
  const version = execFileSync(findExecutable('pgbouncer') ?? '', ['--version'], { encoding: 'utf8' });
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  const isNewEnough = major > PGBOUNCER_MIN[0] || (major === PGBOUNCER_MIN[0] && minor >= PGBOUNCER_MIN[1]);
  return isNewEnough ? null : `PgBouncer is ${major}.${minor}, and has to be ${PGBOUNCER_MIN.join('.')} or newer`;
}

/**
 * Starts the cluster with the files of deploy/, on free ports. `closing` ends what it started and
 * removes its folder. Throws when a program is missing.
 */
export async function startPostgresCluster(options: ClusterOptions, closing: Closing): Promise<PostgresCluster> {
  const missing = missingForCluster(options);
  if (missing) throw new Error(`The cluster can't be started: ${missing}.`);
  // As the operating system names the folder of a process.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trilho-drill-cluster-')));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  // As root PostgreSQL and PgBouncer run as another user, who has to reach the folder.
  chmodSync(folder, 0o755);
  const user =
    process.getuid?.() === 0 ? findOrAddSystemUser({ mayAdd: true, announce: (line) => console.error(line) }) : null;
  const run = runner(folder, user, closing);
  return startNodes(options, { folder, run, closing }).catch((error: Error) => {
    throw new Error(`${error.message}\n${run.lastLines()}`, { cause: error });
  });
}

async function startNodes(
  options: ClusterOptions,
  { folder, run, closing }: { folder: string; run: Runner; closing: Closing },
): Promise<PostgresCluster> {
  const secret = () => randomBytes(16).toString('hex');
  const passwords = { superuser: secret(), replication: secret(), owner: secret(), service: secret() };

  const [etcdPort, etcdPeerPort, haproxyPort, pgbouncerPort, ...others] = await freePorts(4 + 2 * NODES.length);
  const portsOf = new Map(
    NODES.map((name, at) => [name, { postgres: others[2 * at] as number, rest: others[2 * at + 1] as number }]),
  );
  const restUrl = (name: NodeName) => `http://127.0.0.1:${portsOf.get(name)?.rest}`;

  run.start('etcd', [
    ['--name', 'drill', '--data-dir', run.folderFor('etcd'), '--logger', 'zap', '--log-level', 'warn'],
    ['--listen-client-urls', `http://127.0.0.1:${etcdPort}`],
    ['--advertise-client-urls', `http://127.0.0.1:${etcdPort}`],
    ['--listen-peer-urls', `http://127.0.0.1:${etcdPeerPort}`],
    ['--initial-advertise-peer-urls', `http://127.0.0.1:${etcdPeerPort}`],
    ['--initial-cluster', `drill=http://127.0.0.1:${etcdPeerPort}`],
  ]);
  await until('etcd answers', START_LIMIT_MS, () => answers(`http://127.0.0.1:${etcdPort}/health`));

  const dataOf = (name: NodeName) => join(folder, name, 'data');
  const patronis = new Map<string, ChildProcess>();
  const startNode = (name: NodeName) => {
    const file = join(folder, `${name}.yaml`);
    patronis.set(name, run.start('patroni', [[file]], name));
  };
  for (const name of NODES) {
    const own = run.folderFor(name);
    const { postgres, rest } = portsOf.get(name) as { postgres: number; rest: number };
    run.configure('patroni.yaml', `${name}.yaml`, [
      ['name: node1', `name: ${name}`],
      ['10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379', `127.0.0.1:${etcdPort}`],
      ['10.0.0.11:8008', `127.0.0.1:${rest}`],
      ['10.0.0.11:5432', `127.0.0.1:${postgres}`],
      ['10.0.0.0/24', '127.0.0.1/32'],
      ['/var/lib/postgresql/trilho', join(own, 'data')],
      ['/var/lib/postgresql/.pgpass-patroni', join(own, 'pgpass')],
      ['/var/run/postgresql', own],
      ['/usr/lib/postgresql/15/bin', dirname(findExecutable(BESIDE) ?? '')],
      ['change-me-superuser', passwords.superuser],
      ['change-me-replication', passwords.replication],
    ]);
  }
  // PostgreSQL is Patroni's grandchild: this ends what a killed Patroni leaves behind.
  closing.push(() => {
    for (const name of NODES) signalPostgres(dataOf(name), 'SIGKILL');
  });

  const membersSeenBy = async (name: NodeName): Promise<Member[]> => {
    const response = await fetch(`${restUrl(name)}/cluster`, { signal: AbortSignal.timeout(1_000) });
    return ((await response.json()) as { members: Member[] }).members;
  };
  const primary = async (): Promise<NodeName | null> => {
    const found = await Promise.all(
      NODES.map(async (name) => ((await answers(`${restUrl(name)}/primary`)) ? name : null)),
    );
    return found.find((name) => name !== null) ?? null;
  };
  const frozen = new Set<string>();
  const signalNode = (name: NodeName, signal: NodeJS.Signals) => {
    patronis.get(name)?.kill(signal);
    signalPostgres(dataOf(name), signal);
  };
  const signalPrimary = async (signal: NodeJS.Signals) => {
    const name = await primary();
    if (!name) throw new Error('There is no primary.');
    signalNode(name, signal);
    return name;
  };
  const isWhole = async () => {
    const leader = await primary();
    if (!leader) return false;
    const members = await membersSeenBy(leader);
    const following = members.filter(({ role, state }) => role !== 'leader' && state === 'streaming');
    return following.length === NODES.length - 1 && following.some(({ role }) => role === 'sync_standby');
  };
  const untilWhole = () => until('the cluster is whole', START_LIMIT_MS, isWhole);

  // The first makes the cluster, the others copy it.
  startNode('node1');
  await until('the first node is the primary', START_LIMIT_MS, async () => (await primary()) === 'node1');
  for (const name of NODES.slice(1)) startNode(name);
  await untilWhole();

  run.configure('haproxy.cfg', 'haproxy.cfg', [
    ['bind 127.0.0.1:5432', `bind 127.0.0.1:${haproxyPort}`],
    ...NODES.map((name, at): [string, string] => [
      `10.0.0.1${at + 1}:5432 check port 8008`,
      `127.0.0.1:${portsOf.get(name)?.postgres} check port ${portsOf.get(name)?.rest}`,
    ]),
  ]);
  run.start('haproxy', [['-db', '-f', join(folder, 'haproxy.cfg')]]);
  const urlOf = (role: string, password: string, port = haproxyPort, database = 'trilho') =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  const superuserUrl = urlOf('postgres', passwords.superuser, haproxyPort, 'postgres');
  await until('HAProxy leads to the primary', START_LIMIT_MS, () => leadsToPrimary(superuserUrl));
  await withClient(superuserUrl, async (client) => {
    await client.query(`CREATE ROLE trilho_owner LOGIN PASSWORD '${passwords.owner}'`);
    await client.query(`CREATE ROLE trilho LOGIN PASSWORD '${passwords.service}'`);
    await client.query('CREATE DATABASE trilho OWNER trilho_owner');
  });

  const directUrl = urlOf('trilho', passwords.service);
  const url = options.pooled ? urlOf('trilho', passwords.service, pgbouncerPort) : directUrl;
  if (options.pooled) {
    run.configure('pgbouncer.ini', 'pgbouncer.ini', [
      ['host=127.0.0.1 port=5432', `host=127.0.0.1 port=${haproxyPort}`],
      ['listen_port = 6432', `listen_port = ${pgbouncerPort}`],
      ['/etc/pgbouncer/userlist.txt', run.write('userlist.txt', `"trilho" "${passwords.service}"\n`)],
    ]);
    run.start('pgbouncer', [[join(folder, 'pgbouncer.ini')]]);
    await until('PgBouncer leads to the primary', START_LIMIT_MS, () => leadsToPrimary(url));
  }

  return {
    url,
    directUrl,
    ownerUrl: urlOf('trilho_owner', passwords.owner),
    untilWhole,
    killPrimary: () => signalPrimary('SIGKILL'),
    async freezePrimary() {
      const name = await signalPrimary('SIGSTOP');
      frozen.add(name);
      return name;
    },
    async untilReplaced(away) {
      let next: NodeName | null = null;
      await until('another node is the primary', ELECTION_LIMIT_MS, async () => {
        next = await primary();
        return next !== null && next !== away;
      });
      return next ?? '';
    },
    untilWritable: () => until('a commit is confirmed', ELECTION_LIMIT_MS, () => commits(superuserUrl)),
    startAgain(away) {
      if (frozen.delete(away)) signalNode(away as NodeName, 'SIGCONT');
      else startNode(away as NodeName);
    },
  };
}

/** A member as Patroni's REST interface shows it. */
type Member = { name: string; role: string; state: string };

type Runner = ReturnType<typeof runner>;

/** Starts programs whose files and output are in `folder`, and ends them by `closing`. */
function runner(folder: string, user: SystemUser | null, closing: Closing) {
  const owned = (path: string) => {
    if (user) chownSync(path, user.uid, user.gid);
    return path;
  };
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return owned(path);
  };
  return {
    write,
    folderFor(name: string) {
      const path = join(folder, name);
      mkdirSync(path, { mode: 0o700 });
      return owned(path);
    },
    /** Writes a file of deploy/ with other addresses; throws when one of them is not in it. */
    configure(file: string, as: string, changes: readonly (readonly [string, string])[]) {
      let text = readFileSync(join(DEPLOY, file), 'utf8');
      for (const [from, to] of changes) {
        if (!text.includes(from)) throw new Error(`deploy/${file} has no “${from}”.`);
        text = text.replaceAll(from, to);
      }
      write(as, text);
    },
    /** The last lines that each program printed. */
    lastLines(): string {
      const outputs = readdirSync(folder).filter((name) => name.endsWith('.output'));
      const ends = outputs.map((name) => [
        `${name}:`,
        ...readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').slice(-LAST_LINES),
      ]);
      return ends.flat().join('\n');
    },
    start(program: string, args: readonly (readonly string[])[], name = program): ChildProcess {
      const path = findExecutable(program);
      if (!path) throw new Error(`${program} is not on this machine.`);
      // With another ending: the drill shows what processes of the service logged as *.log.
      const log = openSync(join(folder, `${name}.output`), 'a');
      const child = spawn(path, args.flat(), {
        ...user,
        cwd: '/',
        env: { NODE_ENV: 'production', PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: folder, PYTHONUNBUFFERED: '1' },
        stdio: ['ignore', log, log],
      });
      closing.push(() => ended(child));
      return child;
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await gone;
  clearTimeout(timer);
}

/** Sends a signal to every process of the server whose files are in `data`, the main one first. */
function signalPostgres(data: string, signal: NodeJS.Signals): void {
  const running = processesNamed('postgres').filter((pid) => processFolder(pid) === data);
  for (const pid of running.sort((a, b) => a - b)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It may end by itself in the same moment.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function until(what: string, withinMs: number, look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await look().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`After ${withinMs / 1000} s it is not so that ${what}.`);
    await sleep(POLL_MS);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Whether HAProxy leads to the primary alone: until it has checked each node once, it takes all of
 * them for the primary and leads to them in turn.
 */
const leadsToPrimary = async (url: string): Promise<boolean> => {
  for (const _ of NODES) if (!(await isPrimary(url))) return false;
  return true;
};

const isPrimary = (url: string) => asks(url, 'SELECT NOT pg_is_in_recovery() AS yes');

/** Writes a record that nobody reads: its commit waits for the standby as any other does. */
const commits = (url: string) =>
  asks(url, "SELECT pg_logical_emit_message(true, 'drill', 'confirmed') IS NOT NULL AS yes");

/** Whether a question is answered with yes; no answer counts as no. */
async function asks(url: string, question: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ yes: boolean }>(question);
    return rows[0]?.yes === true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Ports on 127.0.0.1 on which nobody listens. */
async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  let port = PORTS.from + (randomBytes(2).readUInt16BE() % (PORTS.to - PORTS.from));
  while (found.length < count) {
    port = port + 1 > PORTS.to ? PORTS.from : port + 1;
    if (await isFree(port)) found.push(port);
  }
  return found;
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
