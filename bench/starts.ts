import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PACE_PER_SECOND } from './chain.ts';
import { makeHome, withChain } from './chain-installation.ts';
import { median } from './measure.ts';
import { type Memory, memoryBytes } from './process-times.ts';
import { startService } from './processes.ts';
import { withClosing } from './with-closing.ts';

/** How often an existing installation is started. */
const STARTS = 3;
/** By then the work that a start leaves is done. */
const REST_SECONDS = 10;

export type StartTimes = {
  /** The start in an empty folder: database, migrations, four weeks of a demonstration. */
  firstMs: number;
  /** The median of later starts. */
  laterMs: number;
};

/** Measures how long starts take until the service is ready. */
export const measureStarts = (onProgress: (text: string) => void): Promise<StartTimes> =>
  withClosing(async (closing) => {
    const home = makeHome(closing);
    const startMs = async () => {
      const begunMs = performance.now();
      const service = await startService({ home, log: join(home, 'service.log'), env: { LOG_LEVEL: 'info' } });
      const tookMs = performance.now() - begunMs;
      await service.stop();
      return tookMs;
    };
    onProgress('Measuring: the first start');
    const firstMs = await startMs();
    const laterMs: number[] = [];
    for (let start = 1; start <= STARTS; start++) {
      onProgress(`Measuring: start ${start} of ${STARTS}`);
      laterMs.push(await startMs());
    }
    return { firstMs, laterMs: median(laterMs) };
  });

/** In bytes; null where this machine has no /proc. */
export type MemoryOverTime = { atRest: Memory | null; afterLoad: Memory | null };

/** Measures the memory of an installation at rest, and after so many minutes at the pace. */
export const measureMemory = (minutes: number, onProgress: (text: string) => void): Promise<MemoryOverTime> =>
  withChain(1, onProgress, async ({ pid, run }) => {
    await sleep(REST_SECONDS * 1_000);
    const atRest = memoryBytes(pid);
    onProgress(`Measuring: memory, ${minutes} minutes at ${PACE_PER_SECOND} charges a second`);
    await run({ perSecond: PACE_PER_SECOND, seconds: minutes * 60 });
    return { atRest, afterLoad: memoryBytes(pid) };
  });
