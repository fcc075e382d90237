import { seededRandom } from '#domain/values/seeded-random.ts';
import { percentiles } from './percentiles.ts';

/** How many payments a day has, and how they arrive. */
export type Day = {
  payments: number;
  /** The share of the day's payments that come in its busiest hour. */
  peakHourShare: number;
  /** The share of the payments that come in groups: a payroll, a shop's night run. */
  groupedShare: number;
  groupSize: number;
};

export type Waits = { utilisation: number; p50Ms: number; p99Ms: number };

/** How much of the busiest hour is simulated. */
const SIMULATED_SECONDS = 120;

/**
 * Simulates two minutes of the busiest hour, whose payments are served by `servers` that take
 * `serviceMs` each on average, first come first served. Returns how long the payments wait for a
 * free one, in ms. Single payments arrive at random (Poisson), groups at random too, all of a group
 * at once; the time of a service is random (exponential), which is worse than measured.
 */
export function simulatePeak(day: Day, servers: number, serviceMs: number, seed: number): Waits {
  const random = seededRandom(seed);
  const exponential = (mean: number) => -Math.log(1 - random()) * mean;
  const perSecond = peakPerSecond(day);
  const groupsPerSecond = (perSecond * day.groupedShare) / day.groupSize;
  const singlesPerSecond = perSecond * (1 - day.groupedShare);
  const free = new Float64Array(servers);
  const waits: number[] = [];
  let busyMs = 0;
  const serve = (atMs: number) => {
    const takes = exponential(serviceMs);
    // The root is the server that is free first.
    const startsMs = Math.max(atMs, free[0] ?? 0);
    waits.push(startsMs - atMs);
    busyMs += takes;
    free[0] = startsMs + takes;
    siftDown(free);
  };
  let single = exponential(1_000 / singlesPerSecond);
  let group = day.groupedShare > 0 ? exponential(1_000 / groupsPerSecond) : Number.POSITIVE_INFINITY;
  for (const endMs = SIMULATED_SECONDS * 1_000; Math.min(single, group) < endMs; ) {
    if (single <= group) {
      serve(single);
      single += exponential(1_000 / singlesPerSecond);
    } else {
      for (let number = 0; number < day.groupSize; number++) serve(group);
      group += exponential(1_000 / groupsPerSecond);
    }
  }
  const waited = percentiles(waits);
  return {
    utilisation: busyMs / (servers * SIMULATED_SECONDS * 1_000),
    p50Ms: waited(0.5),
    p99Ms: waited(0.99),
  };
}

/** Payments a second in the busiest hour, on average. */
export const peakPerSecond = ({ payments, peakHourShare }: Day): number => (payments * peakHourShare) / 3_600;

/**
 * The fewest servers with which 99 of 100 payments of the busiest hour wait no longer than
 * `p99MsMax`.
 */
export function serversFor(day: Day, serviceMs: number, p99MsMax: number, seed: number): number {
  // With fewer the queue grows without end.
  let least = Math.ceil((peakPerSecond(day) * serviceMs) / 1_000);
  let most = least;
  while (simulatePeak(day, most, serviceMs, seed).p99Ms > p99MsMax) most *= 2;
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (simulatePeak(day, middle, serviceMs, seed).p99Ms <= p99MsMax) most = middle;
    else least = middle + 1;
  }
  return least;
}

/** Moves the first value of a heap to its place. */
function siftDown(heap: Float64Array): void {
  const value = heap[0] ?? 0;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++;
    if ((heap[child] ?? 0) >= value) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = value;
}
