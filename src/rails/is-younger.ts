/**
 * Whether what was read at an instant is younger than `ms` at another one. What was read later than
 * that is not: a clock that was set back says nothing about its age.
 */
export const isYounger = (readAtMs: number, ms: number, nowMs: number): boolean =>
  nowMs >= readAtMs && nowMs - readAtMs < ms;
