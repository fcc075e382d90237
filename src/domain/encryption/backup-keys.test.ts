import { expect, test } from 'vitest';
import { backupKeys, formatBackupPublicKey, parseBackupPublicKey, publicKeyBytes, publicKeyOf } from './backup-keys.ts';
import { addMasterKey, generateMasterKeys, promoteMasterKey } from './master-keys.ts';
import { createSecretBox } from './secret-box.ts';

const keys = `v1:${Buffer.alloc(32, 7).toString('base64')}`;
const shown = (list: string) =>
  backupKeys(createSecretBox(list)).map(({ publicKey }) => formatBackupPublicKey(publicKey));

test('a master key has one public key for backups, the same in every process and version', () => {
  // These values may never change, or backups from years ago could not be opened any more.
  expect(shown(keys)).toEqual(['trilho-backup-key:bxXzRsZRvtf6-QAVfxsTNA2bYBax4bBucqK69LyxzF4']);
  expect(shown(generateMasterKeys())).not.toEqual(shown(keys));
});

test('backups are sealed for the key in front, and those of the others open', () => {
  const both = promoteMasterKey(addMasterKey(keys), 'v2') ?? '';
  expect(shown(both)).toHaveLength(2);
  expect(shown(both)[1]).toBe(shown(keys)[0]);
});

test('a public key is read as it was shown, and nothing else is', () => {
  const [text = ''] = shown(keys);
  const bytes = parseBackupPublicKey(text) ?? Buffer.alloc(0);
  expect(formatBackupPublicKey(bytes)).toBe(text);
  expect(publicKeyBytes(publicKeyOf(bytes))).toEqual(bytes);
  for (const other of ['', text.slice(0, -1), `${text}A`, text.slice(text.indexOf(':') + 1), keys]) {
    expect(parseBackupPublicKey(other)).toBeNull();
  }
});
