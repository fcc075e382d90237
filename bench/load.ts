import { randomUUID } from 'node:crypto';
import autocannon, { type Client, type Request } from 'autocannon';
import { UNIQUE } from './operations.ts';
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
  /** What a request is answered with. */
  status: number;
};

export type Load = {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
  requestsByUrl: Readonly<Record<string, number>>;
  failures: number;
  /** What the first failure was answered with, or null. */
  firstFailure: string | null;
};

/** How long the answers to the last requests may take. */
const LAST_ANSWER_SECONDS = 10;
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

async function run({ urls, connections, seconds, requests, status: wanted }: LoadOrder): Promise<Load> {
  const latenciesMs: number[] = [];
  const requestsByUrl: Record<string, number> = {};
  let failures = 0;
  let firstFailure: string | null = null;
  const onResponse = (status: number, body: string) => {
    if (status === wanted) return;
    failures++;
    firstFailure ??= `${status} ${body}`;
  };
  const startedAt = performance.now();
  let endedAt = startedAt;
  const toSend = (request: Request): Request => ({ ...request, ...uniqueBody(request), onResponse });
  const ask = (url: string) =>
    new Promise<void>((resolve, reject) => {
      requestsByUrl[url] = 0;
      const clients: Client[] = [];
      // A request that is cut off may leave locks behind in a server.
      const timer = setTimeout(() => {
        for (const client of clients) client.responseMax = 1;
      }, seconds * 1_000);
      const order = {
        url,
        connections: connections / urls.length,
        requests,
        setupClient(client: Client) {
          client.setRequests(beginningAt(clients.length, requests.map(toSend)));
          clients.push(client);
        },
        duration: seconds + LAST_ANSWER_SECONDS,
        sampleInt: SAMPLE_MS,
      };
      const instance = autocannon(order, (error, { errors, timeouts }) => {
        clearTimeout(timer);
        failures += errors + timeouts;
        if (error) reject(error);
        else resolve();
      });
      // autocannon's own percentiles are whole milliseconds: too coarse here.
      instance.on('response', (_client: unknown, _status: number, _bytes: number, ms: number) => {
        latenciesMs.push(ms);
        requestsByUrl[url] = (requestsByUrl[url] ?? 0) + 1;
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
    firstFailure,
  };
}

/** The same requests in the same order, from another one on: connections would go in step. */
const beginningAt = (connection: number, requests: readonly Request[]): Request[] => {
  const first = connection % requests.length;
  return [...requests.slice(first), ...requests.slice(0, first)];
};

const uniqueBody = ({ body }: Request): Pick<Request, 'setupRequest'> =>
  body?.includes(UNIQUE)
    ? { setupRequest: (built) => ({ ...built, body: body.replaceAll(UNIQUE, randomUUID()) }) }
    : {};
