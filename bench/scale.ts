import type { ChargeCost } from './chain.ts';
import { type Day, peakPerSecond, serversFor, simulatePeak } from './simulate-day.ts';

/** docs/scale.md has the reasons for these figures. */
const DAYS: readonly (Day & { name: string })[] = [
  { name: 'a shop', payments: 10_000, peakHourShare: 0.12, groupedShare: 0, groupSize: 1 },
  { name: 'a large merchant', payments: 1_000_000, peakHourShare: 0.1, groupedShare: 0.05, groupSize: 200 },
  { name: 'a payment company', payments: 20_000_000, peakHourShare: 0.09, groupedShare: 0.05, groupSize: 200 },
  { name: 'Brazil’s record day', payments: 313_000_000, peakHourShare: 0.08, groupedShare: 0.05, groupSize: 200 },
];

/**
 * Nobody notices a tenth of a second; a part whose payments wait longer at the peak is too small.
 */
const P99_MS_MAX = 100;
/** A busier core has no time left for a peak, a backup or a failover. */
const UTILISATION_MAX = 0.6;
const SEED = 1;
const SECONDS_A_DAY = 86_400;

/** The parts in which a payment takes time; the sandbox is another company's. */
const PARTS = ['web', 'worker', 'postgres'] as const;

export type DayNeeds = {
  name: string;
  payments: number;
  averagePerSecond: number;
  peakPerSecond: number;
  /** Cores, by part. */
  cores: Record<(typeof PARTS)[number], number>;
  /** How long a payment waits that waits for all three parts one after the other, at the peak. */
  waitP99Ms: number;
  diskBytesADay: number;
  walBytesPerSecond: number;
};

/** Returns what days of different sizes need, by the cost of one payment. */
export const daysNeeds = (cost: ChargeCost): DayNeeds[] =>
  DAYS.map(({ name, ...day }) => {
    const needed = PARTS.map((part) => {
      const ms = cost.cpuMs[part];
      const busy = Math.ceil((peakPerSecond(day) * ms) / 1_000 / UTILISATION_MAX);
      const cores = Math.max(busy, serversFor(day, ms, P99_MS_MAX, SEED));
      return { part, cores, waitMs: simulatePeak(day, cores, ms, SEED).p99Ms };
    });
    return {
      name,
      payments: day.payments,
      averagePerSecond: day.payments / SECONDS_A_DAY,
      peakPerSecond: peakPerSecond(day),
      cores: Object.fromEntries(needed.map(({ part, cores }) => [part, cores])) as DayNeeds['cores'],
      waitP99Ms: needed.reduce((sum, { waitMs }) => sum + waitMs, 0),
      diskBytesADay: day.payments * cost.diskBytes,
      walBytesPerSecond: peakPerSecond(day) * cost.walBytes,
    };
  });
