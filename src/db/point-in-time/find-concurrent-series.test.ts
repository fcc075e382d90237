import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { baseFile, listSeries, seriesFolder } from './archive-names.ts';
import { findConcurrentSeries } from './find-concurrent-series.ts';
import { unpackPoint } from './unpack-point.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-series-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A series with a copy on each of these days of November. */
function series(id: string, ...days: number[]): void {
  const path = seriesFolder(folder, id);
  mkdirSync(path);
  const segment = '000000010000000000000001';
  for (const day of days) {
    const stoppedAt = new Date(Date.UTC(2026, 10, day));
    writeFileSync(baseFile(path, { first: segment, last: segment, stoppedAt }), '');
  }
}

const unpack = (at: Date | null) =>
  unpackPoint(join(folder, 'data'), {
    ...{ folder, at, opening: { passphrase: null, keys: [] } },
    reader: { majorVersion: 18, architecture: 'linux-x64' },
  });

test('series that follow each other, as after a restore, are one database’s', async () => {
  series('0000000a', 1, 2, 3);
  series('0000000b', 4, 5);
  series('0000000c');
  expect(findConcurrentSeries(await listSeries(folder))).toBeNull();
});

test('a restore from a folder that two databases with the same keys archive into names both, and takes neither', async () => {
  series('0000000a', 1, 2, 3);
  series('0000000b', 2, 3);
  const both = /at once.*trilho-log-0000000a \(copies from 2026-11-01T.* to 2026-11-03T.*trilho-log-0000000b/;
  await expect(unpack(null)).rejects.toThrow(both);
  await expect(unpack(new Date('2026-11-02T12:00:00Z'))).rejects.toThrow(both);
  // Before the second one began, there is no doubt.
  await expect(unpack(new Date('2026-11-01T12:00:00Z'))).rejects.not.toThrow(both);
});
