/** How two kinds of calls differ in what they take: by Welch's t-test of their times. */
export type Difference = {
  /** Welch's t; beyond T_MAX on either side, the difference is hardly chance. */
  t: number;
  /** The mean of the first kind less that of the second. */
  meanMs: number;
};

/**
 * The usual bound for leaks by time: of 100,000 comparisons of equals, about one is beyond it. What
 * is below may still differ, by less than so many calls show.
 */
export const T_MAX = 4.5;

/**
 * The share of the slowest calls that don't count: where the machine did something else meanwhile.
 */
const OUTLIERS_SHARE = 0.1;

/**
 * Compares the times of two kinds of calls. The outliers are the slowest tenth of both together:
 * one bound for both, so that it can't take away what distinguishes them.
 */
export function compareTimes(one: readonly number[], other: readonly number[]): Difference {
  const sorted = Float64Array.from([...one, ...other]).sort();
  const slowest = sorted[Math.ceil(sorted.length * (1 - OUTLIERS_SHARE)) - 1] ?? 0;
  const a = momentsOf(one.filter((ms) => ms <= slowest));
  const b = momentsOf(other.filter((ms) => ms <= slowest));
  const meanMs = a.mean - b.mean;
  return { t: meanMs / Math.sqrt(a.variance / a.count + b.variance / b.count), meanMs };
}

/** With Bessel's correction: the variance of what the values are a sample of. */
function momentsOf(values: readonly number[]): { count: number; mean: number; variance: number } {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  return { count, mean, variance };
}
