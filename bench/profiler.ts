import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/**
 * Loaded into the service by `--import` for `--profile`: takes CPU profiles when the bench says so, so that they hold the
 * operation and not the start.
 */
export type ProfilerOrder = { profile: 'start' } | { profile: 'stop'; file: string };

/** Fine enough to tell functions of microseconds apart over some seconds of load. */
const SAMPLING_INTERVAL_US = 250;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });

process.on('message', async (order: ProfilerOrder) => {
  if (order.profile === 'start') await session.post('Profiler.start');
  else writeFileSync(order.file, JSON.stringify((await session.post('Profiler.stop')).profile));
  process.send?.(order.profile);
});
