/** Where a scale from zero ends: the next 1, 2 or 5 times a power of ten at or above the largest value. */
export function niceTop(largest: number): number {
  if (largest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return ([1, 2, 5, 10].find((step) => step * power >= largest) ?? 10) * power;
}
