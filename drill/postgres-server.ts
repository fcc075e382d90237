import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { existingFolder } from '#postgres/embedded-postgres-folder.ts';
import { processesNamed, processFolder } from '#postgres/running-process.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

/**
 * The prefix of the tests' folders: the next run of the tests removes what a killed drill left
 * behind, its server included.
 */
const HOME_PREFIX = 'trilho-test-drill-';

export type PostgresServer = {
  /** For the role that serves. */
  url: string;
  ownerUrl: string;
  /** Kills its main process, one of its sessions, or everything. */
  kill(which: 'main' | 'session' | 'whole', random: () => number): void;
  /** The disk of its files, if it can be filled. */
  disk: SmallDisk | null;
  stop(): Promise<void>;
};

/**
 * Starts a server that is started again whenever it ends, as the service does with its embedded
 * one.
 */
export async function startPostgresServer(options: {
  onTrouble: (line: string) => void;
  /** Puts its files on a disk of this size, where that is possible. */
  diskMegabytes?: number | undefined;
}): Promise<PostgresServer> {
  const { onTrouble, diskMegabytes } = options;
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  const disk = diskMegabytes === undefined ? null : mountSmallDisk(home, diskMegabytes);
  const remove = () => {
    disk?.remove();
    rmSync(home, { recursive: true, force: true });
  };
  // As root the server runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  const server = await startEmbeddedPostgres({
    home,
    purpose: 'test',
    supervise: { onTrouble, onGone: (error) => onTrouble(error.message) },
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  // As the operating system names the folder of a process.
  const data = realpathSync(join(existingFolder(home) ?? home, 'data'));
  const main = () => Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10);
  return {
    url: server.url,
    ownerUrl: server.ownerUrl,
    disk,
    kill(which, random) {
      if (which === 'main') return void process.kill(main(), 'SIGKILL');
      const mainPid = main();
      const others = processesNamed('postgres').filter((pid) => pid !== mainPid && processFolder(pid) === data);
      if (which === 'whole') process.kill(mainPid, 'SIGKILL');
      const chosen = others[Math.floor(random() * others.length)];
      for (const pid of which === 'whole' ? others : chosen === undefined ? [] : [chosen]) killIfThere(pid);
    },
    async stop() {
      await server.stop();
      remove();
    },
  };
}

/** A session may end by itself in the same moment. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
