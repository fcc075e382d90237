import { percentiles } from '../bench/percentiles.ts';
import type { DrillResult } from './drill.ts';

/** How many reasons are shown; they usually have one cause. */
const BROKEN_SHOWN_MAX = 10;

export const TABLE_HEADER =
  '| drill | faults | requests | acknowledged | present | missing | double | difference | recovery p50 / p99 / max | settled | run |';

/** A row of the table, as Markdown. `run`: commit, day and machine. */
export function reportRow(result: DrillResult, run: string): string {
  const { drill, faults, requests, comparison, difference, recoveriesMs, settledMs, leftOut } = result;
  const { acknowledged, present, missing, double } = comparison;
  const counts = [faultCount(faults), requests, acknowledged, present, missing.length, double.length].map(figure);
  const without = leftOut.map((what) => `; without ${what}`).join('');
  return `| ${[drill, ...counts, differenceText(difference), recovery(recoveriesMs), seconds(settledMs), run + without].join(' | ')} |`;
}

/** One line for people who watch. */
export function closingLine(result: DrillResult): string {
  const { drill, comparison, difference, recoveriesMs, faults } = result;
  const { acknowledged, present, missing, double } = comparison;
  return `${drill}: ${faultCount(faults)} faults, acknowledged ${acknowledged}, present ${present}, missing ${missing.length}, double ${double.length}, difference ${differenceText(difference)}, recovery p50/p99/max ${recovery(recoveriesMs)}`;
}

/** One line for programs: the figures of all drills. */
export function closingJson(results: readonly DrillResult[]): string {
  const sum = (of: (result: DrillResult) => number) => results.reduce((total, result) => total + of(result), 0);
  return JSON.stringify({
    kills: sum(({ faults }) => faultCount(faults)),
    requests: sum(({ requests }) => requests),
    acknowledged: sum(({ comparison }) => comparison.acknowledged),
    missing: sum(({ comparison }) => comparison.missing.length),
    double: sum(({ comparison }) => comparison.double.length),
    difference: sum(({ difference }) => difference),
  });
}

/** Why a drill failed. */
export function describeBroken({ drill, broken }: DrillResult): string[] {
  const more = broken.length - BROKEN_SHOWN_MAX;
  return [
    ...broken.slice(0, BROKEN_SHOWN_MAX).map((what) => `BROKEN ${drill}: ${what}`),
    ...(more > 0 ? [`       and ${more} more`] : []),
  ];
}

const faultCount = (faults: ReadonlyMap<string, number>) => [...faults.values()].reduce((sum, count) => sum + count, 0);

const differenceText = (difference: number) => (Number.isNaN(difference) ? '-' : String(difference));

function recovery(milliseconds: readonly number[]): string {
  if (milliseconds.length === 0) return '-';
  return [0.5, 0.99, 1].map(percentiles(milliseconds)).map(seconds).join(' / ');
}

/** Milliseconds as text for people. */
export const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
/** A count as text for people. */
export const figure = (count: number) => Math.round(count).toLocaleString('en');
