import type { Comparison } from './measure.ts';

/** The table for people. */
export function table(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ name, service, baseline, ratio, wanted }) => [
    name,
    ...[service, baseline].flatMap(({ requestsPerSecond, p50Ms, p99Ms, cpuUs }) => [
      requestsPerSecond.toFixed(0),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      cpuUs.toFixed(0),
    ]),
    ratio.toFixed(2),
    `${wanted.toFixed(2)} ${ratio >= wanted ? 'met' : `short by ${(wanted - ratio).toFixed(2)}`}`,
  ]);
  const head = [
    ['', 'service', '', '', '', 'baseline', '', '', '', '', ''],
    ['operation', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'ratio', 'wanted'],
  ];
  return columns([...head, ...rows]);
}

/** Aligns cells: the first and the last column to the left, numbers to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const last = (rows[0]?.length ?? 0) - 1;
  const widths = Array.from({ length: last + 1 }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return column === 0 || column === last ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
