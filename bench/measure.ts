import type { Installation } from './installation.ts';
import type { Load, LoadOrder } from './load.ts';
import type { Operation } from './operations.ts';
import { RATIO_WANTED } from './operations.ts';

/** Enough to keep pool and event loop busy, few enough that the wait is the server's and not the queue's. */
export const CONNECTIONS = 32;
export const ROUNDS = 3;
export const ROUND_SECONDS = 4;
/** By then the hot paths are compiled, prepared statements and connections are there. */
const WARM_UP_SECONDS = 3;

type Side = Pick<Load, 'requestsPerSecond' | 'p50Ms' | 'p99Ms'>;

export type Comparison = { name: string; service: Side; baseline: Side; ratio: number; wanted: number };

/**
 * Service and baseline take turns, one at a time, so that whatever else the machine does meets both alike; medians of the
 * rounds.
 */
export async function compare(installation: Installation, operation: Operation): Promise<Comparison> {
  const urls = { service: installation.service.url, baseline: installation.baselineUrl };
  const rounds: Record<keyof typeof urls, Load[]> = { service: [], baseline: [] };
  for (const side of ['service', 'baseline'] as const) {
    await load(installation, urls[side], operation, WARM_UP_SECONDS);
  }
  for (let round = 0; round < ROUNDS; round++) {
    // Who goes first changes, so that a drift is nobody's advantage.
    const order = round % 2 === 0 ? (['service', 'baseline'] as const) : (['baseline', 'service'] as const);
    for (const side of order) rounds[side].push(await load(installation, urls[side], operation, ROUND_SECONDS));
  }
  const service = medians(rounds.service);
  const baseline = medians(rounds.baseline);
  const ratio = service.requestsPerSecond / baseline.requestsPerSecond;
  return { name: operation.name, service, baseline, ratio, wanted: RATIO_WANTED };
}

/** One measurement. Throws when an answer was not a 200: errors are answered faster than work is done. */
export async function load(
  installation: Installation,
  url: string,
  { name, requests }: Operation,
  seconds: number,
): Promise<Load> {
  const order: LoadOrder = { url, connections: CONNECTIONS, seconds, requests };
  const result = await installation.load.ask<Load>(order);
  if (result.failures > 0 || result.requests === 0) {
    throw new Error(`${result.failures} of ${result.requests} answers to ${name} at ${url} were not 200.`);
  }
  return result;
}

const medians = (loads: readonly Load[]): Side => ({
  requestsPerSecond: median(loads.map((each) => each.requestsPerSecond)),
  p50Ms: median(loads.map((each) => each.p50Ms)),
  p99Ms: median(loads.map((each) => each.p99Ms)),
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
