import type { Formats } from '#panel/create-formats.ts';

/** Returns `3,4 MB`: rounded up, so that a file that is too large never looks as if it fitted. */
export function formatBytes(bytes: number, { number }: Pick<Formats, 'number'>): string {
  const [unit, size] = bytes >= 1024 * 1024 ? (['MB', 1024 * 1024] as const) : (['kB', 1024] as const);
  const text = number(bytes / size, { maximumFractionDigits: unit === 'MB' ? 1 : 0, roundingMode: 'ceil' });
  return `${text}\u00a0${unit}`;
}
