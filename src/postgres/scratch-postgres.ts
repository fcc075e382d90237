import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, type StartOptions, startEmbeddedPostgres } from './embedded-postgres.ts';
import { existingFolder } from './embedded-postgres-folder.ts';
import { isAbandoned } from './embedded-postgres-owner.ts';

const HOME_PREFIX = 'trilho-scratch-';

export type ScratchPostgres = Pick<EmbeddedPostgres, 'url' | 'ownerUrl'> & {
  /** A folder for files, removed together with the server. */
  folder: string;
};

/**
 * Runs `work` with an embedded server of its own below the system's folder for temporary files, an
 * empty one unless `start` says otherwise. Removes the server in every case; when the process is
 * killed, the next call does. When `signal` aborts, the server stops, and the queries in progress
 * fail. Throws as startEmbeddedPostgres does.
 */
export async function withScratchPostgres<T>(
  options: {
    mayAddUser: boolean;
    onProgress: (message: string) => void;
    signal: AbortSignal;
    /** Starts the server; default: an empty one. */
    start?: (options: StartOptions) => Promise<EmbeddedPostgres>;
  },
  work: (scratch: ScratchPostgres) => Promise<T>,
): Promise<T> {
  const { signal, start = startEmbeddedPostgres, ...startOptions } = options;
  await removeAbandonedServers(HOME_PREFIX);
  const folder = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  try {
    // As root the server runs as another user, who has to reach the folder.
    chmodSync(folder, 0o755);
    const server = await start({ home: folder, purpose: 'command', ...startOptions });
    const stop = () => void server.stop();
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      return await work({ url: server.url, ownerUrl: server.ownerUrl, folder });
    } finally {
      signal.removeEventListener('abort', stop);
      await server.stop();
    }
  } finally {
    removeHome(folder);
  }
}

/**
 * Stops the servers whose processes were killed, and removes their data folders: those in `folder`,
 * by default the system's for temporary files, whose names begin with `prefix`.
 */
export async function removeAbandonedServers(prefix: string, folder = tmpdir()): Promise<void> {
  for (const name of readdirSync(folder)) {
    const home = join(folder, name);
    if (!name.startsWith(prefix)) continue;
    try {
      if (!isAbandoned(home)) continue;
      const server = await startEmbeddedPostgres({ home, purpose: 'test' });
      await server.stop();
      removeHome(home);
    } catch {
      // Most likely it belongs to another user, who removes it.
    }
  }
}

/** Removes a data folder, and its database when that is outside. */
function removeHome(home: string): void {
  const database = existingFolder(home);
  if (database) rmSync(database, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
}
