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

test('docs/reliability.md has a row that describes every drill', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/reliability.md'), 'utf8');
  for (const { name } of DRILLS) expect(text).toMatch(new RegExp(`^\\| ${name} \\| [^|]+ \\|$`, 'm'));
  expect(text).toContain(TABLE_HEADER);
});
