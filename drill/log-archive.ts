import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#db/connection/database.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { existingFolder } from '#postgres/embedded-postgres-folder.ts';
import { archivePoint, takeDueBase } from '#services/backup/archive-points.ts';
import { compareWith } from './compare-with.ts';
import type { Drill, Scene } from './drill.ts';
import { runCommand } from './run-command.ts';

const CLIENTS = 6;
const ROUNDS = { short: 1, long: 10 };
/** More often than the service does it: the machine may be lost at any moment of it. */
const ARCHIVE_EVERY_MS = 2_000;
const PAUSE_MS = { min: 3_000, max: 8_000 };
/** The next run of the tests removes such folders that a killed drill leaves. */
const HOME_PREFIX = 'trilho-test-drill-';

/**
 * Archives the log under load, also while PostgreSQL is killed. The archive as it is at any moment
 * is restored elsewhere: it has every id that was acknowledged before the log was last archived,
 * and balances.
 */
export const logArchive: Drill = {
  name: 'log archive',
  installation: {},
  async run(scene) {
    const { load, random, installation } = scene;
    const archiving = startArchiving(scene);
    try {
      load.start(CLIENTS);
      await archiving.untilReady();
      const rounds = scene.times(ROUNDS.short, ROUNDS.long);
      for (let round = 1; round <= rounds && (round === 1 || scene.hasTime()); round++) {
        await sleep(PAUSE_MS.min + random() * (PAUSE_MS.max - PAUSE_MS.min));
        await scene.inject('PostgreSQL is killed while its log is archived', async () =>
          installation.postgres.kill('whole', random),
        );
        await sleep(PAUSE_MS.min + random() * (PAUSE_MS.max - PAUSE_MS.min));
        const copy = join(installation.folder, `archive-${round}`);
        let expected: string[] = [];
        let acknowledged: string[] = [];
        await scene.inject('the machine is lost', async () => {
          // Synchronously: nothing is archived meanwhile.
          cpSync(archiving.folder, copy, { recursive: true });
          expected = archiving.covered();
          acknowledged = scene.acknowledged();
        });
        await restore(scene, { copy, expected, acknowledged });
        rmSync(copy, { recursive: true });
      }
    } finally {
      await archiving.stop();
    }
  },
};

/** Archives as the service does with its own server. */
function startArchiving(scene: Scene) {
  const { installation } = scene;
  const folder = join(installation.folder, 'archive');
  mkdirSync(folder);
  const stopping = new AbortController();
  const { signal } = stopping;
  const note = (_: object, sentence: string) => scene.note(sentence);
  const deps = {
    clock: () => new Date(),
    secretBox: createSecretBox(installation.commandEnv.MASTER_KEYS ?? ''),
    log: { debug: () => {}, info: () => {}, warn: note, error: note },
    observe: () => {},
  };
  const archive = { folder, keepDays: 1, superuserUrl: installation.postgres.ownerUrl };
  let since: bigint | undefined;
  let covered: string[] = [];
  const archiveNow = async () => {
    const before = scene.acknowledged();
    since = await archivePoint(deps, archive, { since, signal });
    covered = before;
  };
  let isReady = false;
  const run = async () => {
    while (!signal.aborted) {
      try {
        if (!isReady) await takeDueBase(deps, archive, { archiveNow, signal });
        isReady = true;
        await archiveNow();
      } catch (error) {
        if (!signal.aborted) scene.note(`not archived: ${(error as Error).message}`);
      }
      await sleep(ARCHIVE_EVERY_MS);
    }
  };
  const running = run();
  return {
    folder,
    covered: () => covered,
    async untilReady() {
      while (!isReady) await sleep(100);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Restores into an empty data folder with `trilho restore`, and compares what is in it. */
async function restore(
  scene: Scene,
  of: { copy: string; expected: readonly string[]; acknowledged: readonly string[] },
): Promise<void> {
  const { copy, expected, acknowledged } = of;
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  // As root the server runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  try {
    // Into its own server: an empty variable counts as absent.
    const variables = { TRILHO_HOME: home, DATABASE_URL: '', DATABASE_OWNER_URL: '' };
    const { code, err } = await runCommand(scene.installation, ['restore', copy], { variables });
    if (code !== 0) return scene.fail(`the archive can’t be restored: ${err.trim()}`);
    const server = await startEmbeddedPostgres({ home, purpose: 'test' });
    const db = openDatabase(server.ownerUrl, { max: 1 });
    try {
      const { missing, discrepancies } = await compareWith(db, acknowledged);
      const lost = new Set(missing);
      for (const id of expected) if (lost.has(id)) scene.fail(`missing in the archive: ${id}, which was covered`);
      for (const detail of discrepancies) scene.fail(`the archive does not balance: ${detail}`);
      scene.note(
        `restored: of ${acknowledged.length} acknowledged ${expected.length} were covered, ${acknowledged.length - missing.length} are there; ${discrepancies.length} discrepancies`,
      );
    } finally {
      await db.close();
      await server.stop();
    }
  } finally {
    rmSync(existingFolder(home) ?? home, { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
  }
}
