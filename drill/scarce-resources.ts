import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { countAnswer, emptyCounts } from './answer-counts.ts';
import type { Drill, Scene } from './drill.ts';
import type { ProcessLimits } from './installation.ts';
import { figure, seconds } from './report.ts';

/** What the service bears in each of the situations. */
const CLIENTS = 4;
/** With the pause of kills.ts. */
const REST_MS = 40;
/** Far above what is left: more connections than a process may have open files. */
const FLOOD_CLIENTS = 600;
const LASTS_MS = { short: 5_000, long: 20_000 };
/** As much as a small machine or container gives to a process. */
const SITUATIONS: readonly { name: string; limits: ProcessLimits; occupiesProcessors?: true }[] = [
  { name: 'a flood, and 256 open files for each process', limits: { filesMax: 256 } },
  { name: 'a flood, and 256 MB of heap for each process', limits: { heapMegabytes: 256 } },
  { name: 'a flood, and other programs that use all processors', limits: {}, occupiesProcessors: true },
];
/** So many programs for each processor. */
const HOGS_EACH = 4;

/**
 * More load than there are resources for: few open files, a small heap, no free processor. What
 * can't be served is rejected with a time to retry, or cut off at once; and the service recovers by
 * itself when the flood ends, with what it has.
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
    for (const { name, limits, occupiesProcessors } of SITUATIONS) {
      for (const process of installation.processes) await process.restart(limits);
      const crashesBefore = installation.crashes.length;
      const counts = emptyCounts();
      load.start(CLIENTS, REST_MS);
      await scene.injectLasting(name, scene.times(LASTS_MS.short, LASTS_MS.long), async () => {
        load.onAnswer((answer) => countAnswer(counts, answer));
        const hogs = occupiesProcessors ? occupyProcessors(scene) : [];
        load.start(FLOOD_CLIENTS);
        return async () => {
          for (const hog of hogs) hog.kill('SIGKILL');
          await load.giveUp();
          load.onAnswer(null);
          load.start(CLIENTS, REST_MS);
        };
      });
      await load.finish();
      for (const [what, count] of counts.wrong) scene.fail(`${name}: ${count} requests were answered: ${what}`);
      const { served, shed, cut, slowestMs } = counts;
      if (served === 0) scene.fail(`${name}: nothing was served`);
      const crashes = installation.crashes.length - crashesBefore;
      texts.push(
        `${name}: ${figure(served)} requests were served, ${figure(shed)} rejected with a time to retry, ${figure(cut)} cut off, the slowest after ${seconds(slowestMs)}; ${crashes} processes ended and were started again`,
      );
    }
    scene.setFigures(`${texts.join('. ')}.`);
  },
};

/** Programs that calculate until they are killed, or for as long as the flood can last. */
function occupyProcessors(scene: Scene): ChildProcess[] {
  const lastsMs = 2 * scene.times(LASTS_MS.short, LASTS_MS.long);
  const code = `const end = Date.now() + ${lastsMs}; while (Date.now() < end);`;
  return Array.from({ length: HOGS_EACH * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', code], { stdio: 'ignore' }),
  );
}
