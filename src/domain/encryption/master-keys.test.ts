import { expect, test } from 'vitest';
import { addMasterKey, generateMasterKeys, parseMasterKeys, promoteMasterKey, removeMasterKey } from './master-keys.ts';

const versions = (list: string | null) => parseMasterKeys(list ?? '').map(({ version }) => version);

test('a key joins at the end, comes to the front when it is promoted, and the old one goes', () => {
  const first = generateMasterKeys();
  const joined = addMasterKey(`${first}\n`);
  expect(versions(joined)).toEqual(['v1', 'v2']);
  expect(joined.startsWith(`${first},`)).toBe(true);
  const promoted = promoteMasterKey(joined, 'v2');
  expect(versions(promoted)).toEqual(['v2', 'v1']);
  expect(versions(removeMasterKey(promoted ?? '', 'v1'))).toEqual(['v2']);
});

test('a new key has a number that no key of the list has, also when the newest is not in front', () => {
  const list = addMasterKey(addMasterKey(generateMasterKeys()));
  expect(versions(list)).toEqual(['v1', 'v2', 'v3']);
  expect(versions(addMasterKey(removeMasterKey(list, 'v2') ?? ''))).toEqual(['v1', 'v3', 'v4']);
  expect(versions(addMasterKey(removeMasterKey(list, 'v3') ?? '', ['v1', 'v2', 'v3']))).toEqual(['v1', 'v2', 'v4']);
});

// ASVS 11.6.1
test('no two fresh keys are alike', () => {
  expect(generateMasterKeys()).not.toBe(generateMasterKeys());
});

test('the key that seals is not removed, and neither is one that is not there', () => {
  const list = addMasterKey(generateMasterKeys());
  expect(removeMasterKey(list, 'v1')).toBeNull();
  expect(removeMasterKey(list, 'v3')).toBeNull();
  expect(promoteMasterKey(list, 'v3')).toBeNull();
});

test('one version twice is rejected, and so is one that would be read as another number', () => {
  const key = generateMasterKeys();
  expect(() => parseMasterKeys(`${key},${generateMasterKeys()}`)).toThrow('v1 is there twice');
  for (const version of ['v01', 'v12345678', 'v', 'V1', 'v-1']) {
    expect(() => parseMasterKeys(key.replace('v1', version))).toThrow('MASTER_KEYS must be');
  }
});
