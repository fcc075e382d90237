import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeRun } from '../bench/describe-run.ts';
import type { DrillResult } from './drill.ts';
import { reportRow, TABLE_HEADER } from './report.ts';

const ROOT = join(import.meta.dirname, '..');
const REPORT = 'docs/reliability.md';
const FILE = join(ROOT, REPORT);

/** Writes the rows of a run into the table of docs/reliability.md; those of other drills stay. */
export function writeReport(results: readonly DrillResult[], seed: number): void {
  const rows = results.map((result) => ({
    drill: result.drill,
    row: reportRow(result, `${describeRun([REPORT])}, seed ${seed}`),
    figures: result.figures,
  }));
  writeFileSync(FILE, updateTable(readFileSync(FILE, 'utf8'), rows));
}

/**
 * Returns the report's text with the rows of these drills replaced, or added where there are none,
 * and likewise with the paragraphs of their figures below the table.
 */
export function updateTable(
  text: string,
  rows: readonly { drill: string; row: string; figures?: string | null }[],
): string {
  const lines = text.split('\n');
  const header = lines.indexOf(TABLE_HEADER);
  if (header < 0) throw new Error(`${REPORT} has no table of drills.`);
  const first = header + 2;
  const afterTable = lines.findIndex((line, at) => at >= first && !line.startsWith('|'));
  const kept = lines.slice(first, afterTable);
  for (const { drill, row } of rows) {
    const at = kept.findIndex((line) => line.startsWith(`| ${drill} |`));
    if (at < 0) kept.push(row);
    else kept[at] = row;
  }
  const below = lines.slice(afterTable);
  for (const { drill, figures } of rows) {
    if (!figures) continue;
    const paragraph = `In the row of ${drill}: ${figures}`;
    const at = below.findIndex((line) => line.startsWith(`In the row of ${drill}: `));
    if (at < 0) below.unshift('', paragraph);
    else below[at] = paragraph;
  }
  return [...lines.slice(0, first), ...kept, ...below].join('\n');
}
