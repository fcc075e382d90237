import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded-postgres.ts';
import { isAbandoned } from '#db/embedded-postgres-owner.ts';
import { applyMigrations } from '#db/migrate.ts';

const HOME_PREFIX = 'trilho-test-';
const TEMPLATE = 'trilho_template';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server for this run; its superuser may create databases. */
    testServerUrl: string;
    /** The database with all migrations that each test file's own one is copied from. */
    testTemplate: string;
  }
}

/** One real server a run, one template with the migrations: a database for a test file is then a copy, without running the migrations again. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned();
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  // As root the server runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  let server: EmbeddedPostgres | undefined;
  const stop = async () => {
    await server?.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    server = await startEmbeddedPostgres({ home, purpose: 'test' });
    await createTemplate(server.url);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', TEMPLATE);
  return stop;
}

async function createTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${TEMPLATE}`);
    const template = new URL(serverUrl);
    template.pathname = TEMPLATE;
    await applyMigrations(template.href);
  } finally {
    await client.end();
  }
}

/** A run that was killed could not stop its server: the next run does. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const home = join(tmpdir(), name);
    if (!name.startsWith(HOME_PREFIX) || !isAbandoned(home)) continue;
    try {
      const server = await startEmbeddedPostgres({ home, purpose: 'test' });
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    } catch {
      // Another user's run: theirs to clean up.
    }
  }
}
