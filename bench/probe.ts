import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/**
 * Loaded by `--import` into a measured process: reports the CPU time that it took, in µs, and
 * profiles it when asked to.
 */
export type ProbeOrder = { probe: 'cpu' } | { probe: 'start profile' } | { probe: 'stop profile'; file: string };

/** Fine enough to distinguish functions of microseconds over some seconds of load. */
const SAMPLING_INTERVAL_US = 250;

const session = new Session();

process.on('message', async (order: Partial<ProbeOrder>) => {
  if (order.probe === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  } else if (order.probe === 'start profile') {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
    await session.post('Profiler.start');
    process.send?.('started');
  } else if (order.probe === 'stop profile' && order.file) {
    writeFileSync(order.file, JSON.stringify((await session.post('Profiler.stop')).profile));
    session.disconnect();
    process.send?.('stopped');
  }
});
