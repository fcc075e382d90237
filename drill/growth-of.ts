/** A value at a moment; all of them in order. */
export type Sample = { atMs: number; value: number };

/** Growth in an hour, as a share of the mean; `low` to `high` is its 95 % confidence interval. */
export type Growth = { mean: number; perHour: number; low: number; high: number };

/**
 * The line is laid through the means of so many equal spans of time: single samples of a heap that
 * is collected now and then depend on each other, and would make the line look surer than it is.
 */
const SPANS = 12;
/** The 97.5 % quantile of Student's t with SPANS - 2 degrees of freedom. */
const T_QUANTILE = 2.228;
const HOUR_MS = 60 * 60_000;

/** Returns how a value grows, by least squares; null where a span has no sample. */
export function growthOf(samples: readonly Sample[]): Growth | null {
  const firstMs = samples[0]?.atMs ?? 0;
  const lengthMs = (samples.at(-1)?.atMs ?? 0) - firstMs;
  const spans = Array.from({ length: SPANS }, () => ({ sum: 0, count: 0 }));
  for (const { atMs, value } of samples) {
    const span = spans[Math.min(SPANS - 1, Math.floor(((atMs - firstMs) / lengthMs) * SPANS))];
    if (!span) return null;
    span.sum += value;
    span.count++;
  }
  if (spans.some(({ count }) => count === 0)) return null;
  const means = spans.map(({ sum, count }) => sum / count);
  const mean = means.reduce((sum, value) => sum + value, 0) / SPANS;
  // Hours from the middle of all spans.
  const hours = means.map((_, at) => ((at - (SPANS - 1) / 2) * lengthMs) / SPANS / HOUR_MS);
  const sum = (of: (hour: number, value: number) => number) =>
    hours.reduce((total, hour, at) => total + of(hour, means[at] ?? 0), 0);
  const squares = sum((hour) => hour ** 2);
  const slope = sum((hour, value) => hour * (value - mean)) / squares;
  const unexplained = sum((hour, value) => (value - mean - slope * hour) ** 2);
  const margin = T_QUANTILE * Math.sqrt(unexplained / (SPANS - 2) / squares);
  return { mean, perHour: slope / mean, low: (slope - margin) / mean, high: (slope + margin) / mean };
}
