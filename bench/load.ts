import autocannon, { type Request } from 'autocannon';
import { percentiles } from './percentiles.ts';

/**
 * The process that asks: it gets orders from the bench and answers each with what it measured. One
 * process for all, so that its own code is compiled by the time that it counts.
 */
export type LoadOrder = { url: string; connections: number; seconds: number; requests: readonly Request[] };

export type Load = { requestsPerSecond: number; p50Ms: number; p99Ms: number; requests: number; failures: number };

/** How soon after its time autocannon notices that it is over; its own default is a second. */
const SAMPLE_MS = 100;

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (load) => process.send?.(load),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());

function run({ seconds, ...order }: LoadOrder): Promise<Load> {
  return new Promise((resolve, reject) => {
    const latenciesMs: number[] = [];
    let failures = 0;
    const startedAt = performance.now();
    let endedAt = startedAt;
    const instance = autocannon(
      { ...order, duration: seconds, sampleInt: SAMPLE_MS },
      (error, { errors, timeouts }) => {
        if (error) return reject(error);
        const latency = percentiles(latenciesMs);
        resolve({
          requestsPerSecond: latenciesMs.length / ((endedAt - startedAt) / 1000),
          p50Ms: latency(0.5),
          p99Ms: latency(0.99),
          requests: latenciesMs.length,
          failures: failures + errors + timeouts,
        });
      },
    );
    // Its own percentiles are whole milliseconds: too coarse here.
    instance.on('response', (_client: unknown, status: number, _bytes: number, ms: number) => {
      latenciesMs.push(ms);
      if (status !== 200) failures++;
      endedAt = performance.now();
    });
  });
}
