import type { Judgement } from './judge-memory.ts';
import { figure } from './report.ts';

/** A table at a moment, by PostgreSQL's statistics. */
export type TableSample = {
  atMs: number;
  name: string;
  /** Rows updated and deleted since the installation was made. */
  changed: number;
  live: number;
  dead: number;
  vacuums: number;
  /** Of the rows alone, without indexes. */
  bytes: number;
  /** The number of dead rows from which autovacuum comes. */
  vacuumedFrom: number;
};

/** Autovacuum looks every minute, works for a while, and its figures are late. */
const VACUUMED_WITHIN_MS = 3 * 60_000;
/** How often a table of the load changes, at least: others have nothing to clean. */
const CHANGES_MIN = 1_000;
/**
 * How much larger than its rows and those that autovacuum has not reached yet a table may become:
 * space that was freed is used again, not always at once.
 */
const SPREAD_MAX = 3;

/**
 * Whether autovacuum keeps up with the tables that change most: at no moment are there more dead
 * rows than autovacuum lets lie, and those of three minutes; and a table takes no more bytes for
 * each of its rows than it did at `warmUntilMs`, apart from what autovacuum lets lie.
 */
export function judgeTables(samples: readonly TableSample[], warmUntilMs: number): Judgement[] {
  const byName = Map.groupBy(samples, ({ name }) => name);
  return [...byName.values()]
    .map((all) => ({ all, changed: (all.at(-1)?.changed ?? 0) - (all[0]?.changed ?? 0) }))
    .filter(({ changed }) => changed >= CHANGES_MIN)
    .sort((a, b) => b.changed - a.changed)
    .map(({ all, changed }) => judgeTable(all, changed, warmUntilMs));
}

function judgeTable(all: readonly TableSample[], changed: number, warmUntilMs: number): Judgement {
  const first = all[0] as TableSample;
  const last = all.at(-1) as TableSample;
  const warm = all.find(({ atMs }) => atMs >= warmUntilMs) ?? first;
  const lengthMs = last.atMs - first.atMs;
  const unvacuumed = (changed / lengthMs) * VACUUMED_WITHIN_MS;
  const worst = all.reduce((a, b) => (b.dead - b.vacuumedFrom > a.dead - a.vacuumedFrom ? b : a));
  const mostDead = Math.max(...all.map(({ dead }) => dead));
  const isBehind = worst.dead > worst.vacuumedFrom + unvacuumed;
  const places = ({ live, vacuumedFrom }: TableSample) => live + vacuumedFrom + unvacuumed;
  const isSpread = last.bytes / places(last) > (SPREAD_MAX * warm.bytes) / places(warm);
  const reason = isBehind ? ', autovacuum does not keep up' : isSpread ? ', its free space is not used again' : '';
  const isShort = lengthMs < 2 * VACUUMED_WITHIN_MS;
  return {
    text: `${last.name} ${figure(changed)} changes, ${figure(last.live)} rows in ${figure(last.bytes / 1024)} kB, dead ones at most ${figure(mostDead)} and ${figure(last.dead)} at the end, ${last.vacuums} vacuums${reason}${isShort ? ' (too short to be judged)' : ''}`,
    isTooMuch: (isBehind || isSpread) && !isShort,
  };
}
