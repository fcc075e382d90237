import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '#domain/errors/start-error.ts';
import { type EmbeddedPostgres, type StartOptions, startEmbeddedPostgres } from './embedded-postgres.ts';
import { existingFolder } from './embedded-postgres-folder.ts';

/** With which the server replays the log that lies in its folder, and then serves. */
const SETTINGS = {
  // All of the log lies where the server looks by itself; it does not start without the setting.
  restore_command: 'false',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
  // Nobody is let in before it is done.
  hot_standby: 'off',
};
const TARGET = 'recovery_target_time';
/** What PostgreSQL says where no commit is later than the target: everything is before it. */
const NOTHING_LATER = 'recovery ended before configured recovery target was reached';

/**
 * Starts the server of a data folder that putData made of a base copy and its log: it replays the
 * log up to `at`, to its end where that is null, and serves from there on. Throws as
 * startEmbeddedPostgres does.
 */
export async function startRestored(options: StartOptions & { at: Date | null }): Promise<EmbeddedPostgres> {
  const { at, ...start } = options;
  const data = join(existingFolder(realpathSync(start.home)) ?? '', 'data');
  const settings = join(data, 'postgresql.auto.conf');
  const own = readFileSync(settings, 'utf8');
  const recover = (target: Date | null) => {
    // PostgreSQL knows no "Z" before it has read its time zones.
    const time = target && { [TARGET]: target.toISOString().replace('Z', '+00') };
    const lines = Object.entries({ ...SETTINGS, ...time }).map(([name, value]) => `${name} = '${value}'`);
    // In place: the file belongs to the user of the server.
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

/** They count at a start with recovery.signal only, which PostgreSQL has removed. */
async function resetSettings(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const name of [...Object.keys(SETTINGS), TARGET]) await client.query(`ALTER SYSTEM RESET ${name}`);
  } finally {
    await client.end();
  }
}
