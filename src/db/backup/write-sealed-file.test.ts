import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { BackupError } from './backup-error.ts';
import { writeSealedFile } from './write-sealed-file.ts';

const [key] = backupKeys(createSecretBox(generateMasterKeys()));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-sealed-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, beforeNamed = async () => {}) =>
  writeSealedFile(file, Readable.from([Buffer.from('rows')]), { sealing: { key }, beforeNamed });

test('a backup never takes the place of a folder, a pipe or a device, and is rejected before anything is written', async () => {
  const [inside, pipe] = [join(folder, 'folder'), join(folder, 'pipe')];
  mkdirSync(inside);
  execFileSync('mkfifo', [pipe]);
  const device = join(folder, 'null');
  symlinkSync('/dev/null', device);
  for (const name of [inside, `${inside}/`, pipe, device, ''])
    await expect(write(name), name).rejects.toThrow(BackupError);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(lstatSync(device).isSymbolicLink()).toBe(true);
  expect([...readdirSync(folder), ...readdirSync(inside)].filter((name) => name.endsWith('.partial'))).toEqual([]);
});

test('a backup to a link replaces the file that it leads to', async () => {
  const [file, link] = [join(folder, 'today.backup'), join(folder, 'latest.backup')];
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  await write(link);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(lstatSync(file).size).toBeGreaterThan('old'.length);
});

test('a backup that can’t be given its name leaves no partial file', async () => {
  const file = join(folder, 'taken.backup');
  await expect(write(file, async () => void mkdirSync(file))).rejects.toThrow('EISDIR');
  expect(existsSync(`${file}.partial`)).toBe(false);
});

test('a partial file that a killed backup left is said with what to do, and stays as it is', async () => {
  const file = join(folder, 'killed.backup');
  writeFileSync(`${file}.partial`, 'half');
  await expect(write(file)).rejects.toThrow(`${file}.partial is there already`);
  expect(lstatSync(`${file}.partial`).size).toBe('half'.length);
  expect(existsSync(file)).toBe(false);
});
