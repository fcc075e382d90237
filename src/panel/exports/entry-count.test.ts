import { expect, test } from 'vitest';
import { createEntryCount } from './entry-count.ts';

const OFX = '<OFX>\n<STMTTRN>\n</STMTTRN>\n<STMTTRN>\n</STMTTRN>\n<STMTTRN>\n</STMTTRN>\n</OFX>\n';
const CSV = '\uFEFF"Dia";"Valor"\r\n"a\r\nb";1\r\n"c";2\r\n';

test.each([
  ['statement.ofx', OFX, 3],
  ['statement.csv', CSV, 2],
  ['statement.csv', '', 0],
])('the entries of %s are counted right, wherever the pieces are cut', (path, text, entries) => {
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= Math.max(bytes.length, 1); size++) {
    const count = createEntryCount(path);
    let counted = 0;
    for (let at = 0; at < bytes.length; at += size) counted = count(bytes.subarray(at, at + size));
    expect(counted).toBe(entries);
  }
});
