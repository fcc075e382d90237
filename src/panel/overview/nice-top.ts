/** Round numbers whose halves are round too. */
const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** Where a scale from zero ends: the next round number at or above the largest value. */
export function niceTop(largest: number): number {
  if (largest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return (STEPS.find((step) => step * power >= largest) ?? 10) * power;
}
