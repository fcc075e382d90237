import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

export type TestDatabase = { url: string; drop(): Promise<void> };

/** A pool that was ended is rid of its connections before the server is: the server gets so long to notice. */
const GOODBYE_MS = 2_000;
const GOODBYE_LOOK_MS = 10;

/** A database of its own for the caller, with all migrations and no rows. `drop` closes whatever stays connected. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer((server) => server.query(`CREATE DATABASE ${name} TEMPLATE ${inject('testTemplate')}`));
  const url = new URL(inject('testServerUrl'));
  url.pathname = name;
  return { url: url.href, drop: () => onServer((server) => drop(server, name)) };
}

/** Ended by force, a connection that was about to close says so to a client that nobody listens to any more: an error of no test. */
async function drop(server: pg.Client, name: string): Promise<void> {
  const end = performance.now() + GOODBYE_MS;
  while (performance.now() < end) {
    const { rowCount } = await server.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
    if (rowCount === 0) break;
    await sleep(GOODBYE_LOOK_MS);
  }
  await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
}

async function onServer<T>(work: (server: pg.Client) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}
