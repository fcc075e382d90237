import { withClient } from '#db/connection/with-client.ts';
import type { Installation } from './installation.ts';
import type { Load, LoadOrder } from './load.ts';
import type { Operation } from './operations.ts';
import { RATIO_WANTED } from './operations.ts';
import { percentiles } from './percentiles.ts';
import type { ProbeOrder } from './probe.ts';
import type { Target } from './processes.ts';
import { takeTurns } from './take-turns.ts';

/**
 * Enough to keep the pool and the event loop busy, few enough that the wait is in the server and
 * not in the queue.
 */
export const CONNECTIONS = 32;
/**
 * Many short rounds rather than few long ones: the rest of the machine's work then affects both
 * sides alike.
 */
export const ROUNDS = 5;
export const ROUND_SECONDS = 2;
/** By then the hot paths are compiled, and prepared statements and connections exist. */
export const WARM_UP_SECONDS = 3;

/**
 * `cpuUs`: the processor time of the server's own processes per request, in µs. It says more than
 * requests per second where cores are shared.
 */
export type Side = { requestsPerSecond: number; p50Ms: number; p99Ms: number; cpuUs: number };

export type Comparison = {
  name: string;
  service: Side;
  baseline: Side;
  ordinary: Side;
  /** The service's requests per second over the baseline's. */
  ratio: number;
  /** The service's requests per second over the ordinary application's. */
  ordinaryRatio: number;
  wanted: number;
};

/**
 * Compares service, baseline and the ordinary application, which take turns, one at a time. Returns
 * medians of the rounds, of the ratios too.
 */
export async function compare(installation: Installation, operation: Operation): Promise<Comparison> {
  const sides = ['service', 'baseline', 'ordinary'] as const;
  const run = (side: (typeof sides)[number], seconds: number) =>
    load(installation, [installation[side]], operation, seconds);
  for (const side of sides) await run(side, WARM_UP_SECONDS);
  const rounds = await takeTurns(sides, ROUNDS, (side) => run(side, ROUND_SECONDS));
  return {
    name: operation.name,
    service: medians(rounds.map(({ service }) => service)),
    baseline: medians(rounds.map(({ baseline }) => baseline)),
    ordinary: medians(rounds.map(({ ordinary }) => ordinary)),
    ratio: median(rounds.map(({ service, baseline }) => service.requestsPerSecond / baseline.requestsPerSecond)),
    ordinaryRatio: median(
      rounds.map(({ service, ordinary }) => service.requestsPerSecond / ordinary.requestsPerSecond),
    ),
    wanted: RATIO_WANTED,
  };
}

/**
 * No worker runs here, and requests that make tasks would wait for one, unless a task has been due
 * for long: then none is there to be waited for.
 */
const NO_WORKER = `
  DELETE FROM tasks;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('sweep', gen_random_uuid(), now() - interval '1 hour')`;

/**
 * Measures the targets once, with the connections shared out evenly among them. Throws when an
 * answer was not the operation's: errors are answered faster than work is done.
 */
export async function load(
  installation: Pick<Installation, 'load' | 'ownerUrl'>,
  targets: readonly Target[],
  { name, requests, status = 200 }: Operation,
  seconds: number,
): Promise<Side> {
  await withClient(installation.ownerUrl, (owner) => owner.query(NO_WORKER));
  const order: LoadOrder = { urls: targets.map(({ url }) => url), connections: CONNECTIONS, seconds, requests, status };
  const cpuBefore = await sumOfCpuUs(targets);
  const result = await installation.load.ask<Load>(order);
  const cpuUs = (await sumOfCpuUs(targets)) - cpuBefore;
  assertAnswered(name, result);
  const { requestsPerSecond, p50Ms, p99Ms } = result;
  return { requestsPerSecond, p50Ms, p99Ms, cpuUs: cpuUs / result.requests };
}

async function sumOfCpuUs(targets: readonly Target[]): Promise<number> {
  const cpu: ProbeOrder = { probe: 'cpu' };
  const us = await Promise.all(targets.map((target) => target.ask<number>(cpu)));
  return us.reduce((sum, one) => sum + one, 0);
}

/**
 * Throws when an answer was not the operation's, and when one of the servers answered nothing at
 * all.
 */
export function assertAnswered(name: string, { failures, firstFailure, requests, requestsByUrl }: Load): void {
  const silent = Object.keys(requestsByUrl).filter((url) => requestsByUrl[url] === 0);
  if (silent.length > 0) throw new Error(`${silent.join(' and ')} answered nothing to ${name}.`);
  if (failures > 0) {
    const urls = Object.keys(requestsByUrl).join(' and ');
    throw new Error(
      `${failures} of ${requests} answers to ${name} at ${urls} were not what they should be. The first: ${firstFailure}.`,
    );
  }
}

export const medians = (sides: readonly Side[]): Side => ({
  requestsPerSecond: median(sides.map((side) => side.requestsPerSecond)),
  p50Ms: median(sides.map((side) => side.p50Ms)),
  p99Ms: median(sides.map((side) => side.p99Ms)),
  cpuUs: median(sides.map((side) => side.cpuUs)),
});

export const median = (values: readonly number[]): number => percentiles(values)(0.5);
