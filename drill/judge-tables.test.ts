import { expect, test } from 'vitest';
import { judgeTables, type TableSample } from './judge-tables.ts';

const MINUTE_MS = 60_000;
/** Twenty minutes of a table of which a row changes fifty times a second. */
const table = (of: (minute: number) => Partial<TableSample>): TableSample[] =>
  Array.from({ length: 21 }, (_, minute) => ({
    atMs: minute * MINUTE_MS,
    name: 'tasks',
    changed: minute * 3_000,
    live: 100,
    dead: 2_000,
    vacuums: minute,
    bytes: 500_000,
    vacuumedFrom: 70,
    ...of(minute),
  }));

const isTooMuch = (samples: readonly TableSample[]) => judgeTables(samples, 5 * MINUTE_MS).map((one) => one.isTooMuch);

test('dead rows that autovacuum removes in time pass; those that pile up fail a soak', () => {
  expect(isTooMuch(table(() => ({})))).toEqual([false]);
  const behind = table((minute) => ({ dead: minute * 3_000, vacuums: 0, vacuumedFrom: 70 + minute }));
  expect(isTooMuch(behind)).toEqual([true]);
  expect(judgeTables(behind, 0)[0]?.text).toContain('at most 60,000 and 60,000 at the end');
});

test('a table may grow with its rows, and not without them', () => {
  expect(isTooMuch(table((minute) => ({ live: 100 + minute * 3_000, bytes: 500_000 * (1 + minute) })))).toEqual([
    false,
  ]);
  expect(isTooMuch(table((minute) => ({ bytes: 500_000 * (1 + minute) })))).toEqual([true]);
});

test('tables are judged by how much they change: not those that hardly do, nor in a few minutes', () => {
  const quiet = table((minute) => ({ name: 'members', changed: minute, dead: minute * 3_000 }));
  const busy = table(() => ({ name: 'transactions', changed: 0 })).map((one, at) => ({ ...one, changed: at * 9_000 }));
  const texts = judgeTables([...quiet, ...table(() => ({})), ...busy], 0).map(({ text }) => text.split(' ')[0]);
  expect(texts).toEqual(['transactions', 'tasks']);
  expect(isTooMuch(table((minute) => ({ dead: minute * 9_000 })).slice(0, 4))).toEqual([false]);
});
