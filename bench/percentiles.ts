/**
 * Sorts values once. Returns a function that gives the value below which this share of them lies.
 */
export function percentiles(values: readonly number[]): (share: number) => number {
  const sorted = Float64Array.from(values).sort();
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
