import autocannon, { type Request } from 'autocannon';
import { percentiles } from './percentiles.ts';

/**
 * The process that sends the load: it gets orders from the bench and answers each with its
 * measurements. It is the same for all, so that its own code is compiled when the measuring starts.
 */
export type LoadOrder = {
  /** The URLs of the servers, which are asked at the same time. */
  urls: readonly string[];
  /**
   * The connections to all of them together, the same number to each. A multiple of the number of
   * servers.
   */
  connections: number;
  seconds: number;
  /** The requests that each connection sends, in turn. */
  requests: readonly Request[];
};

export type Load = {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
  requestsByUrl: Readonly<Record<string, number>>;
  failures: number;
};

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

async function run({ urls, connections, seconds, requests }: LoadOrder): Promise<Load> {
  const latenciesMs: number[] = [];
  const requestsByUrl: Record<string, number> = {};
  let failures = 0;
  const startedAt = performance.now();
  let endedAt = startedAt;
  const ask = (url: string) =>
    new Promise<void>((resolve, reject) => {
      requestsByUrl[url] = 0;
      const order = { url, connections: connections / urls.length, requests, duration: seconds, sampleInt: SAMPLE_MS };
      const instance = autocannon(order, (error, { errors, timeouts }) => {
        failures += errors + timeouts;
        if (error) reject(error);
        else resolve();
      });
      // autocannon's own percentiles are whole milliseconds: too coarse here.
      instance.on('response', (_client: unknown, status: number, _bytes: number, ms: number) => {
        latenciesMs.push(ms);
        requestsByUrl[url] = (requestsByUrl[url] ?? 0) + 1;
        if (status !== 200) failures++;
        endedAt = performance.now();
      });
    });
  await Promise.all(urls.map(ask));
  const latency = percentiles(latenciesMs);
  return {
    requestsPerSecond: latenciesMs.length / ((endedAt - startedAt) / 1000),
    p50Ms: latency(0.5),
    p99Ms: latency(0.99),
    requests: latenciesMs.length,
    requestsByUrl,
    failures,
  };
}
