import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill, Scene } from './drill.ts';
import type { Role } from './installation.ts';

const CLIENTS = { short: 4, long: 8 };
/**
 * The pause between two requests of a client, which takes about as long itself: at the instant of a
 * kill some request is always in progress, and the processors are free to start what was killed.
 * Without the pause a restart waits for the load, and an hour has too few kills.
 */
const REST_MS = 40;
/** The load runs for a random time up to this before the next kill. */
const PAUSE_MAX_MS = 1_000;

/** The processes that are killed with SIGKILL, each as often as the others. */
const KILLS: readonly { name: string; kill(scene: Scene): Promise<void> }[] = [
  { name: 'web', kill: (scene) => killOne(scene, 'web') },
  { name: 'worker', kill: (scene) => killOne(scene, 'worker') },
  { name: 'all processes', kill: ({ installation }) => killAll(installation.processes) },
  {
    name: 'PostgreSQL, whole',
    kill: async ({ installation, random }) => installation.postgres.kill('whole', random),
  },
  {
    name: 'PostgreSQL, its main process',
    kill: async ({ installation, random }) => installation.postgres.kill('main', random),
  },
  {
    name: 'PostgreSQL, one of its sessions',
    kill: async ({ installation, random }) => installation.postgres.kill('session', random),
  },
  {
    name: 'everything at once',
    kill: async ({ installation, random }) => {
      installation.postgres.kill('whole', random);
      await killAll(installation.processes);
    },
  },
];

/** SIGKILL at random instants under load; each killed process is started again at once. */
export const kills: Drill = {
  name: 'kills',
  installation: {},
  async run(scene) {
    const { load, random } = scene;
    load.start(scene.times(CLIENTS.short, CLIENTS.long), REST_MS);
    const count = scene.times(KILLS.length, 1_000);
    for (let number = 0; number < count && (number < KILLS.length || scene.hasTime()); number++) {
      // In turn, so that none is left out; the seed chooses when each of them happens.
      const chosen = KILLS[number % KILLS.length] as (typeof KILLS)[number];
      await sleep(random() * PAUSE_MAX_MS);
      await scene.inject(chosen.name, () => chosen.kill(scene));
      if (scene.isLong && (number + 1) % 50 === 0) scene.note(`${number + 1} kills`);
    }
  },
};

async function killOne({ installation, random }: Scene, role: Role): Promise<void> {
  const those = installation.processes.filter((process) => process.role === role);
  await those[Math.floor(random() * those.length)]?.kill();
}

async function killAll(processes: readonly { kill(): Promise<void> }[]): Promise<void> {
  await Promise.all(processes.map((process) => process.kill()));
}
