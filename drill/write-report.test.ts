import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DRILLS } from './drills.ts';
import { TABLE_HEADER } from './report.ts';
import { updateTable } from './write-report.ts';

test('a long run replaces the rows of its drills in the report, adds new ones, and leaves the others', () => {
  const before = ['# Report', TABLE_HEADER, '|---|', '| kills | old |', '| clock jumps | stays |', '', 'Text.'];
  const rows = [
    { drill: 'kills', row: '| kills | new |' },
    { drill: 'rolling restart', row: '| rolling restart | first |' },
  ];
  expect(updateTable(before.join('\n'), rows).split('\n')).toEqual([
    '# Report',
    TABLE_HEADER,
    '|---|',
    '| kills | new |',
    '| clock jumps | stays |',
    '| rolling restart | first |',
    '',
    'Text.',
  ]);
});

test('what a drill measured beside its row is a paragraph below the table, which the next run replaces', () => {
  const before = [TABLE_HEADER, '|---|', '| soak | old |', '', 'Text.'].join('\n');
  const withFigures = (text: string, figures: string | null) =>
    updateTable(text, [{ drill: 'soak', row: '| soak | new |', figures }]);
  const once = withFigures(before, 'flat');
  expect(once.split('\n')).toEqual([
    TABLE_HEADER,
    '|---|',
    '| soak | new |',
    '',
    'In the row of soak: flat',
    '',
    'Text.',
  ]);
  expect(withFigures(once, 'flatter')).toBe(once.replace('flat', 'flatter'));
  expect(withFigures(once, null)).toBe(once);
});

test('docs/reliability.md has a row that describes every drill', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/reliability.md'), 'utf8');
  for (const { name } of DRILLS) expect(text).toMatch(new RegExp(`^\\| ${name} \\| [^|]+ \\|$`, 'm'));
  expect(text).toContain(TABLE_HEADER);
});
