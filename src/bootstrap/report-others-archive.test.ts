import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSealedFile } from '#db/backup/write-sealed-file.ts';
import { segmentFile, seriesFolder } from '#db/point-in-time/archive-names.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { reportOthersArchive } from './report-others-archive.ts';

const secretBox = createSecretBox(generateMasterKeys());
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-archive-'));
  const series = seriesFolder(folder, '0a1b2c3d');
  mkdirSync(series);
  const [key] = backupKeys(secretBox);
  const log = Readable.from([Buffer.from('log')]);
  await writeSealedFile(segmentFile(series, '000000010000000000000001', 'log'), log, { sealing: { key } });
  // Of a series that has just begun nothing is known.
  mkdirSync(seriesFolder(folder, '4e5f6071'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function reported(archive: string, box = secretBox): Promise<unknown[]> {
  const found: unknown[] = [];
  await reportOthersArchive(archive, box, { warn: (about) => void found.push(about) });
  return found;
}

test('a start says which log archive in its folder is another installation’s', async () => {
  const others = createSecretBox(generateMasterKeys());
  expect(await reported(folder, others)).toEqual([{ series: seriesFolder(folder, '0a1b2c3d') }]);
});

test('a start says nothing of its own log archive, nor of a folder that is away', async () => {
  expect(await reported(folder)).toEqual([]);
  expect(await reported(join(folder, 'not-mounted'))).toEqual([]);
});
