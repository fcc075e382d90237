import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '#domain/errors/start-error.ts';
import { type EmbeddedPostgres, type StartOptions, startEmbeddedPostgres } from './embedded-postgres.ts';
import { existingFolder } from './embedded-postgres-folder.ts';

/** Settings for a server that replays the log in its own folder and then serves. */
const SETTINGS = {
  // The whole log is where the server looks by itself, but it does not start without this setting.
  restore_command: 'false',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
  // No connection is accepted before the replay is done.
  hot_standby: 'off',
};
const TARGET = 'recovery_target_time';
/** PostgreSQL's message when no commit is later than the target: the whole log is before it. */
const NOTHING_LATER = 'recovery ended before configured recovery target was reached';

/**
 * Starts the server of a data folder that putData created from a base copy and its log. The server
 * replays the log up to `at`, or to its end when `at` is null, and serves from there on. Throws as
 * startEmbeddedPostgres does.
 */
export async function startRestored(options: StartOptions & { at: Date | null }): Promise<EmbeddedPostgres> {
  const { at, ...start } = options;
  const data = join(existingFolder(realpathSync(start.home)) ?? '', 'data');
  const settings = join(data, 'postgresql.auto.conf');
  const own = readFileSync(settings, 'utf8');
  const recover = (target: Date | null) => {
    // PostgreSQL does not know "Z" before it has read its time zones.
    const time = target && { [TARGET]: target.toISOString().replace('Z', '+00') };
    const lines = Object.entries({ ...SETTINGS, ...time }).map(([name, value]) => `${name} = '${value}'`);
    // Written in place, because the file belongs to the user of the server.
    writeFileSync(settings, [own, ...lines, ''].join('\n'));
    writeFileSync(join(data, 'recovery.signal'), '');
    return startEmbeddedPostgres(start);
  };
  const server = await recover(at).catch((error: unknown) => {
    if (at && error instanceof StartError && error.message.includes(NOTHING_LATER)) return recover(null);
    throw error;
  });
  try {
    await resetSettings(server.ownerUrl);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/**
 * Removes the settings. They apply only to a start with recovery.signal, which PostgreSQL has
 * removed.
 */
async function resetSettings(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const name of [...Object.keys(SETTINGS), TARGET]) await client.query(`ALTER SYSTEM RESET ${name}`);
  } finally {
    await client.end();
  }
}
