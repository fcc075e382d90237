import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { countAnswer, emptyCounts } from './answer-counts.ts';
import type { Drill, Scene } from './drill.ts';
import type { ProcessLimits } from './installation.ts';
import { figure, seconds } from './report.ts';

/** Of merchants, with the pause of kills.ts: what the service bears in each situation. */
const CLIENTS = 4;
const REST_MS = 40;
/** Without a pause: thirty times what keeps every process busy. */
const FLOOD_CLIENTS = 200;
/** More than the open files of all web processes. */
const IDLE_CONNECTIONS = 700;
const LASTS_MS = { short: 5_000, long: 20_000 };
/** So many programs for each processor. */
const HOGS_EACH = 2;

type Situation = {
  name: string;
  /** As a small machine or container has them. */
  limits: ProcessLimits;
  /** Begins what uses up the resource, and returns what ends it. */
  begin(scene: Scene): () => Promise<void> | void;
};

const SITUATIONS: readonly Situation[] = [
  {
    name: 'more connections than the 256 files that a process may open',
    limits: { filesMax: 256 },
    begin: ({ installation }) => {
      const sockets = Array.from({ length: IDLE_CONNECTIONS }, () => openIdle(Number(new URL(installation.url).port)));
      return () => sockets.forEach((socket) => void socket.destroy());
    },
  },
  { name: 'a flood, and 256 MB of heap', limits: { heapMegabytes: 256 }, begin: flood },
  {
    name: 'a flood, and other programs that use all processors',
    limits: {},
    begin: (scene) => {
      const hogs = Array.from({ length: HOGS_EACH * availableParallelism() }, () => occupyProcessor(scene));
      const end = flood(scene);
      return async () => {
        for (const hog of hogs) hog.kill('SIGKILL');
        await end();
      };
    },
  },
];

/**
 * More load than there are resources for: few open files, a small heap, no free processor. What
 * can't be served is rejected with a time to retry, or cut off at once; and the service recovers by
 * itself when the load sinks, with what it has.
 */
export const scarceResources: Drill = {
  name: 'scarce resources',
  installation: {},
  processes: { webs: 2, workers: 2 },
  // A heap that is full ends a process.
  mayCrash: true,
  async run(scene) {
    const { load, installation } = scene;
    const texts: string[] = [];
    for (const { name, limits, begin } of SITUATIONS) {
      for (const process of installation.processes) await process.restart(limits);
      const crashesBefore = installation.crashes.length;
      const counts = emptyCounts();
      load.start(CLIENTS, REST_MS);
      await scene.injectLasting(name, scene.times(LASTS_MS.short, LASTS_MS.long), async () => {
        load.onAnswer((answer) => countAnswer(counts, answer));
        const end = begin(scene);
        return async () => {
          await end();
          load.onAnswer(null);
        };
      });
      await load.finish();
      for (const [what, count] of counts.wrong) scene.fail(`${name}: ${count} requests were answered: ${what}`);
      const { served, shed, cut, slowestMs } = counts;
      const crashes = installation.crashes.length - crashesBefore;
      texts.push(
        `${name}: ${figure(served)} requests were served, ${figure(shed)} rejected with a time to retry, ${figure(cut)} cut off, the slowest after ${seconds(slowestMs)}; ${crashes} processes ended and were started again`,
      );
    }
    scene.setFigures(`${texts.join('. ')}.`);
  },
};

function flood({ load }: Scene): () => Promise<void> {
  load.start(FLOOD_CLIENTS);
  return async () => {
    await load.giveUp();
    load.start(CLIENTS, REST_MS);
  };
}

/** A connection that is used once, and kept as long as the server lets it. */
function openIdle(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'));
  socket.on('error', () => {});
  socket.resume();
  return socket;
}

/** A program that calculates until it is killed, or for twice as long as the situation lasts. */
function occupyProcessor(scene: Scene): ChildProcess {
  const lastsMs = 2 * scene.times(LASTS_MS.short, LASTS_MS.long);
  const code = `const end = Date.now() + ${lastsMs}; while (Date.now() < end);`;
  return spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
}
