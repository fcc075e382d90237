import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SERVICE_ROLE } from '#postgres/embedded-postgres-roles.ts';
import type { Drill, Scene } from './drill.ts';
import { judgeMemory } from './judge-memory.ts';
import { judgeTables } from './judge-tables.ts';
import type { Mix } from './load.ts';
import { lock } from './postgres-troubles.ts';
import { setSwitches } from './provider-troubles.ts';
import { figure } from './report.ts';
import { watchResources } from './watch-resources.ts';

/** Enough that both web processes and their database always have work. */
const CLIENTS = 6;
/** Below what it bears, as an installation runs for years: what piles up then does so by itself. */
const SHARE_OF_FULL_LOAD = 0.7;
/** How long the load runs without a pause, to find what the installation bears on this machine. */
const FULL_LOAD_MS = { short: 5_000, long: 30_000 };
const PAUSE_MS = { short: { min: 500, max: 1_000 }, long: { min: 15_000, max: 45_000 } };
const LASTS_MS = 5_000;
/**
 * Caches fill, and V8 finds the size of its heap: after ten minutes a web process still grows,
 * while what lives in its heap does not. A shorter run has half of its time for it.
 */
const WARM_UP_MAX_MS = 20 * 60_000;
const WARM_UP_SHARE = 1 / 2;
/**
 * With less crypto than in other drills: of a crypto processor's list, which knows no periods, the
 * newest 10,000 operations are read, and a long run's day has to be compared with all of its own.
 */
const MIX: Mix = [
  ['charge', 65],
  ['withdrawal', 22],
  ['refund', 11],
  ['invoice', 1],
  ['crypto_withdrawal', 1],
];
/** After the load, until what is overdue then counts as left behind. */
const QUIET_MS = 5_000;

/**
 * The service for hours at a steady load, with a fault of the other drills now and then. Memory,
 * dead rows and tables do not grow by themselves, and no transaction or lock is left behind. The
 * first process of each role is never ended: it is its memory that is judged.
 */
export const soak: Drill = {
  name: 'soak',
  installation: { proxied: true, providerProxied: true, reportsMemory: true },
  processes: { webs: 2, workers: 2 },
  minutes: 120,
  // What was asked for in a trouble of the providers is tried again after some minutes.
  patienceMs: 12 * 60_000,
  async run(scene) {
    const { load, random, installation } = scene;
    const beganMs = performance.now();
    load.setMix(MIX);
    const { restMs, fullRate } = await measureFullLoad(scene);
    const resources = watchResources(installation);
    try {
      let answers = 0;
      load.onAnswer(() => void answers++);
      const startedMs = performance.now();
      const warmUntilMs = startedMs + Math.min(WARM_UP_MAX_MS, scene.timeLeftMs() * WARM_UP_SHARE);
      load.start(CLIENTS, restMs);
      const pause = scene.times(PAUSE_MS.short.min, PAUSE_MS.long.min);
      const pauseMore = scene.times(PAUSE_MS.short.max, PAUSE_MS.long.max) - pause;
      for (let number = 0; number < scene.times(FAULTS.length, Number.POSITIVE_INFINITY); number++) {
        await sleep(pause + random() * pauseMore);
        if (!scene.hasTime()) break;
        await (FAULTS[Math.floor(random() * FAULTS.length)] as Fault)(scene);
      }
      const rate = (answers * 1000) / (performance.now() - startedMs);
      const { living, tables, idle } = await resources.end();
      await load.finish();
      await sleep(QUIET_MS);
      for (const query of idle) scene.fail(`a transaction was idle for more than 5 s after: ${query}`);
      for (const what of await resources.left()) scene.fail(what);
      const memory = living.map(({ name, samples }) => judgeMemory(name, samples, warmUntilMs));
      const judged = judgeTables(tables, warmUntilMs);
      for (const { text, isTooMuch } of [...memory, ...judged]) if (isTooMuch) scene.fail(`grows: ${text}`);
      const textOf = (all: readonly { text: string }[]) => all.map(({ text }) => text).join('; ');
      scene.setFigures(
        `${figure((performance.now() - beganMs) / 60_000)} minutes, ${figure(rate)} requests a second of ${figure(fullRate)} at full load. ` +
          `Memory after a collection: ${textOf(memory)}. Tables: ${textOf(judged)}. ` +
          `Transactions idle for more than 5 s: ${idle.length}.`,
      );
    } finally {
      load.onAnswer(null);
      await resources.close();
    }
  },
};

/**
 * Returns the pause after each request with which the load is the wanted share of what the clients
 * get answered without one.
 */
async function measureFullLoad(scene: Scene): Promise<{ restMs: number; fullRate: number }> {
  const { load } = scene;
  const forMs = scene.times(FULL_LOAD_MS.short, FULL_LOAD_MS.long);
  let answers = 0;
  load.start(CLIENTS);
  // Connections are opened and code is compiled first.
  await sleep(forMs / 3);
  load.onAnswer(() => void answers++);
  await sleep(forMs);
  load.onAnswer(null);
  await load.finish();
  const requestMs = (CLIENTS * forMs) / answers;
  return { restMs: requestMs * (1 / SHARE_OF_FULL_LOAD - 1), fullRate: (answers * 1000) / forMs };
}

type Fault = (scene: Scene) => Promise<void>;

const secondOf = ({ installation }: Scene, role: string) => {
  const found = installation.processes.findLast((process) => process.role === role);
  if (!found) throw new Error(`There is no ${role}.`);
  return found;
};

/** At a low rate, by the seed: what the other drills let fail, each for a short time. */
const FAULTS: readonly Fault[] = [
  (scene) => scene.inject('web killed', () => secondOf(scene, 'web').kill()),
  (scene) => scene.inject('worker killed', () => secondOf(scene, 'worker').kill()),
  (scene) => scene.inject('web restarted', () => secondOf(scene, 'web').restart()),
  (scene) => scene.inject('worker restarted', () => secondOf(scene, 'worker').restart()),
  (scene) => scene.inject('a session of the database is ended', () => endSession(scene)),
  (scene) =>
    scene.inject('every connection to the database is cut', async () => scene.installation.databaseProxy?.cutAll()),
  (scene) =>
    scene.injectLasting('PostgreSQL answers 500 ms late', LASTS_MS, async () => {
      scene.installation.databaseProxy?.setDelayMs(250);
      return () => scene.installation.databaseProxy?.setDelayMs(0);
    }),
  ({ installation, ...scene }) =>
    scene.injectLasting('the rows of an account are locked', LASTS_MS, () =>
      lock(
        installation.postgres.ownerUrl,
        `SELECT FROM ledger_accounts WHERE account_id = '${installation.accounts[0]?.id}' FOR UPDATE`,
      ),
    ),
  ({ installation, ...scene }) =>
    scene.injectLasting('providers execute and never answer', LASTS_MS, async () => {
      const before = await setSwitches(installation, { 'pix.payout': 'silent_done', 'pix.refund': 'silent_done' });
      return async () => void (await setSwitches(installation, before));
    }),
  ({ installation, ...scene }) =>
    scene.injectLasting('the provider is away', LASTS_MS, async () => {
      installation.providerProxy?.setTrouble('is away');
      return () => installation.providerProxy?.setTrouble(null);
    }),
];

/**
 * Ends one of the service's sessions. Killing one would end all of them, and PostgreSQL would lose
 * count of the dead rows that autovacuum has to visit: the drill of kills does it.
 */
async function endSession({ installation, random }: Scene): Promise<void> {
  const client = new pg.Client({ connectionString: installation.postgres.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE usename = $1', [
      SERVICE_ROLE,
    ]);
    const chosen = rows[Math.floor(random() * rows.length)];
    if (chosen) await client.query('SELECT pg_terminate_backend($1)', [chosen.pid]);
  } finally {
    await client.end();
  }
}
