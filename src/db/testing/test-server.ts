import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { SERVICE_ROLE } from '#postgres/embedded-postgres-roles.ts';
import { removeAbandonedServers } from '#postgres/scratch-postgres.ts';
import { createTablesOn } from '#sandbox/tables.ts';
import { memoryFolder } from '../../../scripts/temporary-folder.mjs';
import { applyMigrations } from '../connection/migrate.ts';
import { connectionOf } from '../connection/pool.ts';
import { withClient } from '../connection/with-client.ts';

const HOME_PREFIX = 'trilho-test-';
const TEMPLATE = 'trilho_template';
/**
 * A test opens up to 50 at once, and six test files run at once, or one for each processor:
 * PostgreSQL's 100 are too few.
 */
const CONNECTIONS_MAX = 60 * Math.max(6, availableParallelism());

/** How long the server gets to notice that a pool has ended its connections. */
const GOODBYE_MS = 2_000;
const GOODBYE_POLL_MS = 10;

export type TestDatabase = {
  /** For the role that serves, as the service has it. */
  url: string;
  /**
   * For the owner: to plant what the service can't do, and to call the ledger's inner functions.
   */
  ownerUrl: string;
  drop(): Promise<void>;
};

/** A server for one run; its superuser may create databases. */
export type TestServer = {
  url: string;
  /** The same server for the role that serves. */
  serviceUrl: string;
  /** The database with all migrations, from which test databases are copied. */
  template: string;
  stop(): Promise<void>;
};

/** Starts one server per run, with a template that has the migrations: test databases copy it. */
export async function startTestServer(): Promise<TestServer> {
  const folder = memoryFolder() ?? tmpdir();
  // Runs that were killed leave theirs.
  await removeAbandonedServers(HOME_PREFIX, folder);
  const home = mkdtempSync(join(folder, HOME_PREFIX));
  // As root the server runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  const server = await startWithConnections(home).catch((error: unknown) => {
    rmSync(home, { recursive: true, force: true });
    throw error;
  });
  const stop = async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await createTemplate(server.ownerUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: server.ownerUrl, serviceUrl: server.url, template: TEMPLATE, stop };
}

/** The number of connections is read at a start alone. */
async function startWithConnections(home: string): Promise<EmbeddedPostgres> {
  const first = await startEmbeddedPostgres({ home, purpose: 'test' });
  try {
    await withClient(first.ownerUrl, (server) => server.query(`ALTER SYSTEM SET max_connections = ${CONNECTIONS_MAX}`));
  } finally {
    await first.stop();
  }
  return startEmbeddedPostgres({ home, purpose: 'test' });
}

/** Creates a database with all migrations and no rows. `drop` closes open connections. */
export async function copyTemplate(from: Omit<TestServer, 'stop'>): Promise<TestDatabase> {
  const { url, serviceUrl, template } = from;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = connect(url);
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const at = (serverUrl: string) => {
    const copy = new URL(serverUrl);
    copy.pathname = name;
    return copy.href;
  };
  return { url: at(serviceUrl), ownerUrl: at(url), drop: () => drop(server, name) };
}

/** By the server's URL. */
const connected = new Map<string, pg.Pool>();

/**
 * Connections to a server that stay open from one database to the next: each costs PostgreSQL a
 * process, and both sides the proof of a password. They keep no process from ending.
 */
function connect(url: string): pg.Pool {
  const pool = connected.get(url) ?? new pg.Pool({ ...connectionOf(url), max: 2, allowExitOnIdle: true });
  // A server that stops cuts them.
  if (!connected.has(url)) pool.on('error', () => {});
  connected.set(url, pool);
  return pool;
}

/**
 * Waits before it forces: a connection that is cut while it closes emits an error that no test
 * handles.
 */
async function drop(server: pg.Pool, name: string): Promise<void> {
  const end = performance.now() + GOODBYE_MS;
  while (performance.now() < end) {
    const { rowCount } = await server.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
    if (rowCount === 0) break;
    await sleep(GOODBYE_POLL_MS);
  }
  await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
}

async function createTemplate(serverUrl: string): Promise<void> {
  await withClient(serverUrl, (server) => server.query(`CREATE DATABASE ${TEMPLATE}`));
  const template = new URL(serverUrl);
  template.pathname = TEMPLATE;
  // The sandbox's tables too, which a start makes where they are missing: a test's service begins
  // with both.
  await applyMigrations(template.href, { serviceRole: SERVICE_ROLE, work: createTablesOn });
}
