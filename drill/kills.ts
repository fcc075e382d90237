import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill, Scene } from './drill.ts';
import type { Role, ServiceProcess } from './installation.ts';

const CLIENTS = 4;
/**
 * The pause between two requests of a client, which takes about as long itself: at the instant of a
 * kill some request is always in progress, and the processors are free to start what was killed.
 * Without the pause a restart waits for the load, and an hour has too few kills. The short form
 * runs beside other tests, where a request takes three times as long.
 */
const REST_MS = { short: 120, long: 40 };
/** The load runs for a random time up to this before the next kill. */
const PAUSE_MAX_MS = 1_000;

/**
 * An embedded PostgreSQL is given up when it has not run for five seconds within a minute
 * (keep-running.ts): kills that follow each other faster let it run this long this often.
 */
const STEADY_MS = 6_000;
const STEADY_EVERY_MS = 40_000;

type Kill = {
  name: string;
  /** Whether it ends the main process of PostgreSQL. */
  endsPostgres?: true;
  /**
   * How often it comes in a round of the long form. After some of them several processes load their
   * code, which takes ten times as long as PostgreSQL's recovery: they come as often as a thousand
   * faults in an hour or two allow.
   */
  often: number;
  kill(scene: Scene): Promise<void>;
};

/** The processes that are killed with SIGKILL. */
const KILLS: readonly Kill[] = [
  { name: 'web', often: 2, kill: (scene) => killOne(scene, 'web') },
  { name: 'worker', often: 2, kill: (scene) => killOne(scene, 'worker') },
  { name: 'all processes', often: 1, kill: ({ installation }) => killAll(installation.processes) },
  {
    name: 'PostgreSQL, whole',
    endsPostgres: true,
    often: 5,
    kill: async ({ installation, random }) => installation.postgres.kill('whole', random),
  },
  {
    name: 'PostgreSQL, its main process',
    endsPostgres: true,
    often: 5,
    kill: async ({ installation, random }) => installation.postgres.kill('main', random),
  },
  {
    name: 'PostgreSQL, one of its sessions',
    often: 4,
    kill: async ({ installation, random }) => installation.postgres.kill('session', random),
  },
  {
    name: 'everything at once',
    endsPostgres: true,
    often: 1,
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
    load.start(CLIENTS, scene.times(REST_MS.short, REST_MS.long));
    const count = scene.times(KILLS.length, 1_000);
    const round: Kill[] = [];
    let endedAt = performance.now();
    let steadyAt = endedAt;
    for (let number = 0; number < count && (number < KILLS.length || scene.hasTime()); number++) {
      // In rounds, so that none is left out; the seed chooses their order, and when each happens.
      if (round.length === 0) round.push(...(scene.isLong ? shuffled(ROUND, random) : KILLS));
      const chosen = round.shift() as Kill;
      await sleep(random() * PAUSE_MAX_MS);
      if (chosen.endsPostgres) {
        if (performance.now() - steadyAt > STEADY_EVERY_MS) await sleep(STEADY_MS);
        if (performance.now() - endedAt >= STEADY_MS) steadyAt = performance.now();
      }
      await scene.inject(chosen.name, () => chosen.kill(scene));
      if (chosen.endsPostgres) endedAt = performance.now();
      if (scene.isLong && (number + 1) % 50 === 0) scene.note(`${number + 1} kills`);
    }
    await untilStarted();
  },
};

const ROUND = KILLS.flatMap((kill) => Array.from({ length: kill.often }, () => kill));

const shuffled = <T>(all: readonly T[], random: () => number): T[] =>
  all
    .map((one) => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);

/** Processes that were killed, and start again; the next fault comes meanwhile. */
const starting = new Map<ServiceProcess, Promise<void>>();

async function killOne({ installation, random }: Scene, role: Role): Promise<void> {
  const those = installation.processes.filter((process) => process.role === role);
  const chosen = those[Math.floor(random() * those.length)];
  if (!chosen) throw new Error(`There is no ${role}.`);
  await starting.get(chosen);
  const again = chosen.kill();
  // Whoever waits for it gets the error.
  again.catch(() => {});
  starting.set(chosen, again);
}

async function killAll(processes: readonly ServiceProcess[]): Promise<void> {
  await untilStarted();
  await Promise.all(processes.map((process) => process.kill()));
}

async function untilStarted(): Promise<void> {
  await Promise.all(starting.values());
  starting.clear();
}
