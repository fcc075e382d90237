import { growthOf, type Sample } from './growth-of.ts';
import { figure } from './report.ts';

const GROWTH_MAX = 0.05;
/** In less, one full collection of the heap looks like a trend. */
const JUDGED_MIN_MS = 15 * 60_000;

/** What samples say about a quantity that must not grow. */
export type Judgement = { text: string; isTooMuch: boolean };

/**
 * Whether the memory of a process grows by more than a twentieth in an hour. It does where the
 * whole confidence interval is above; where only a part of it is, the time was too short to say.
 */
export function judgeMemory(name: string, samples: readonly Sample[], warmUntilMs: number): Judgement {
  const [first] = samples;
  if (!first || first.atMs > warmUntilMs) return { text: `${name} started too late to be judged`, isTooMuch: false };
  const growth = growthOf(samples.filter(({ atMs }) => atMs >= warmUntilMs));
  if (!growth) return { text: `${name} has too few samples to be judged`, isTooMuch: false };
  const { mean, perHour, low, high } = growth;
  const isLong = (samples.at(-1)?.atMs ?? 0) - warmUntilMs >= JUDGED_MIN_MS;
  const isTooMuch = isLong && low > GROWTH_MAX;
  const isSure = isLong && (low > GROWTH_MAX || high < GROWTH_MAX);
  const text = `${name} ${figure(mean / 1024 ** 2)} MB ${percent(perHour)} an hour (${percent(low)} to ${percent(high)}${isSure ? '' : ', too short to be judged'})`;
  return { text, isTooMuch };
}

const percent = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`;
