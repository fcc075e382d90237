import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EnvironmentError } from '#config/environment.ts';
import { writeSealedFile } from '#db/backup/write-sealed-file.ts';
import { segmentFile, seriesFolder } from '#db/point-in-time/archive-names.ts';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { checkArchiveFolder } from './check-archive-folder.ts';
import { openDatabase } from './open-database.ts';
import type { Startup } from './startup.ts';

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

test('a start whose log archive is in a folder with another installation’s is rejected before its database runs', async () => {
  const env = { databaseUrl: undefined, backups: { folder, pointInTime: true } };
  const others = createSecretBox(generateMasterKeys());
  const start = openDatabase({ env, closing: {}, options: {} } as unknown as Startup, others);
  await expect(start).rejects.toThrow(EnvironmentError);
  await expect(start).rejects.toThrow(`${seriesFolder(folder, '0a1b2c3d')} in BACKUP_FOLDER`);
});

test('a log archive goes on in a folder with series of its own, and one whose folder is away does not stop the start', async () => {
  await checkArchiveFolder(folder, secretBox);
  await checkArchiveFolder(join(folder, 'not-mounted'), secretBox);
});
