import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#db/connection/database.ts';
import { withClient } from '#db/connection/with-client.ts';
import { compareWith } from './compare-with.ts';
import type { Drill, Scene } from './drill.ts';
import type { Installation } from './installation.ts';
import { type CommandOutcome, runCommand } from './run-command.ts';
import { mountSmallDisk } from './small-disk.ts';

const CLIENTS = 6;
const ROUNDS = { short: 1, long: 10 };
/** The load runs for a random time up to this before the next fault. */
const PAUSE_MAX_MS = 3_000;
const DISK_MEGABYTES = 2;
const POLL_MS = 2;

/**
 * Takes backups under load, also while PostgreSQL or the process that takes them is killed, and
 * while the disk is full. Each file that has a backup's name is restored elsewhere, has every id
 * that was acknowledged before it began, and balances.
 */
export const backups: Drill = {
  name: 'backups',
  installation: {},
  async run(scene) {
    const { load, random, installation } = scene;
    load.start(CLIENTS);
    const rounds = scene.times(ROUNDS.short, ROUNDS.long);
    for (let round = 1; round <= rounds && (round === 1 || scene.hasTime()); round++) {
      for (const { name, disturb } of WAYS) {
        await sleep(random() * PAUSE_MAX_MS);
        const before = scene.acknowledged();
        const file = join(installation.folder, `${round}-${name.replaceAll(/\W+/g, '-')}.backup`);
        const outcome = await takeBackup(scene, file, (child) => scene.inject(name, async () => disturb(scene, child)));
        await judge(scene, { name, file, before, outcome });
      }
    }
    await fillDisk(scene);
  },
};

/** What happens to a backup once its first bytes are written. */
type Disturb = (scene: Scene, process: ChildProcess) => void;

const WAYS: readonly { name: string; disturb: Disturb }[] = [
  { name: 'a backup is taken', disturb: () => {} },
  {
    name: 'PostgreSQL is killed under a backup',
    disturb: ({ installation, random }) => installation.postgres.kill('whole', random),
  },
  { name: 'the process that backs up is killed', disturb: (_, child) => void child.kill('SIGKILL') },
];

/** `trilho backup`, as an operator runs it. */
function takeBackup(
  scene: Scene,
  file: string,
  disturb: (child: ChildProcess) => Promise<void>,
): Promise<CommandOutcome> {
  return runCommand(scene.installation, ['backup', file], {
    async beside(child) {
      while (child.exitCode === null && !existsSync(`${file}.partial`)) await sleep(POLL_MS);
      // At some point of the tenths of a second that a backup takes.
      await sleep(scene.random() * 200);
      await disturb(child);
    },
  });
}

/**
 * A file that has a backup's name is complete; a backup without a file was not reported as done.
 */
async function judge(
  scene: Scene,
  backup: { name: string; file: string; before: readonly string[]; outcome: CommandOutcome },
): Promise<void> {
  const { name, file, before, outcome } = backup;
  if (!existsSync(file)) {
    if (outcome.code === 0) scene.fail(`${name}: it was promised and is not there`);
    if (name === 'a backup is taken') scene.fail(`${name}: ${outcome.err.trim()}`);
    if (outcome.code !== null && existsSync(`${file}.partial`)) scene.fail(`${name}: half a file was left behind`);
    return scene.note(`${name}: none was made`);
  }
  const { size } = statSync(file);
  const { missing, discrepancies, error } = await restoreElsewhere(scene.installation, file, before);
  rmSync(file);
  if (error) scene.fail(`${name}: it can’t be restored: ${error}`);
  for (const id of missing) scene.fail(`missing in a backup: ${id}, acknowledged before it began (${name})`);
  for (const detail of discrepancies) scene.fail(`a backup does not balance: ${detail} (${name})`);
  scene.note(
    `${name}: ${before.length} acknowledged before, ${before.length - missing.length} in it, ${discrepancies.length} discrepancies, ${size} bytes`,
  );
}

type Restored = Awaited<ReturnType<typeof compareWith>> & { error: string | null };

/** Restores into a database on another server with `trilho restore`, and compares it. */
async function restoreElsewhere(
  installation: Installation,
  file: string,
  expected: readonly string[],
): Promise<Restored> {
  const { ownerUrl } = installation.providerPostgres;
  const name = `restored_${randomUUID().replaceAll('-', '')}`;
  await withClient(ownerUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(ownerUrl);
  url.pathname = name;
  try {
    const variables = { DATABASE_URL: url.href, DATABASE_OWNER_URL: url.href };
    const { code, err } = await runCommand(installation, ['restore', file], { variables });
    if (code !== 0) return { missing: [], discrepancies: [], error: err.trim() };
    const db = openDatabase(url.href, { max: 1 });
    try {
      return { ...(await compareWith(db, expected)), error: null };
    } finally {
      await db.close();
    }
  } finally {
    await withClient(ownerUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
}

/** Fills the backup's own disk, on which nothing of the service is. */
async function fillDisk(scene: Scene): Promise<void> {
  const name = 'the disk of the backup is full';
  const folder = join(scene.installation.folder, 'backup-disk');
  mkdirSync(folder);
  const disk = mountSmallDisk(folder, DISK_MEGABYTES);
  if (!disk) return scene.leaveOut(name, 'a file system can’t be mounted here');
  try {
    disk.fill();
    const before = readdirSync(folder);
    await scene.inject(name, async () => {
      const { code, err } = await runCommand(scene.installation, ['backup', join(folder, 'x.backup')]);
      if (code !== 1 || !/^trilho: ENOSPC: .*\n$/.test(err)) scene.fail(`${name}: answered ${code} ${err}`);
    });
    const left = readdirSync(folder).filter((file) => !before.includes(file));
    if (left.length > 0) scene.fail(`${name}: ${left.join(', ')} was left behind`);
  } finally {
    disk.remove();
  }
}
