import { expect, test } from 'vitest';
import { addMasterKey, generateMasterKeys, promoteMasterKey, removeMasterKey } from './master-keys.ts';
import { createSecretBox } from './secret-box.ts';

const keys = generateMasterKeys();
const box = createSecretBox(keys);
const promoted = (list: string) => promoteMasterKey(list, 'v2') ?? '';

test('what is sealed opens again, and looks different each time', () => {
  const sealed = box.seal('whsec_segredo', 'a');
  expect(box.open(sealed, 'a')).toBe('whsec_segredo');
  expect(box.seal('whsec_segredo', 'a')).not.toBe(sealed);
  expect(sealed).not.toContain('segredo');
});

// ASVS 11.3.3
test('a sealed value does not open in another place, with another key, or changed', () => {
  const sealed = box.seal('x', 'endpoint:1');
  expect(() => box.open(sealed, 'endpoint:2')).toThrow();
  expect(() => createSecretBox(generateMasterKeys()).open(sealed, 'endpoint:1')).toThrow();
  const [version, text = ''] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64');
  for (const at of [0, 14, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => box.open(`${version}.${changed.toString('base64')}`, 'endpoint:1')).toThrow();
  }
});

test('with a newer key in front the old still opens, the new seals, and what was made with either is recognised', () => {
  const rotated = createSecretBox(promoted(addMasterKey(keys)));
  expect(rotated.versions).toEqual(['v2', 'v1']);
  expect(rotated.open(box.seal('old', 'c'), 'c')).toBe('old');
  expect(rotated.seal('new', 'c')).toMatch(/^v2\./);
  expect(() => box.open(rotated.seal('new', 'c'), 'c')).toThrow(/v2/);
  for (const [issued, accepted] of [
    [rotated.derive('token'), rotated.deriveAll('token')],
    [box.derive('token'), rotated.deriveAll('token')],
    [rotated.fingerprint('12345678909', 'document'), rotated.fingerprints('12345678909', 'document')],
    [box.fingerprint('12345678909', 'document'), rotated.fingerprints('12345678909', 'document')],
  ] as const) {
    expect(accepted).toContainEqual(issued);
    expect(accepted).toHaveLength(2);
  }
  expect(rotated.derive('token')).not.toBe(box.derive('token'));
  expect(rotated.fingerprint('12345678909', 'document')).not.toEqual(box.fingerprint('12345678909', 'document'));
});

test('a key added behind the first neither seals nor derives yet, but opens and recognises what it will make once promoted', () => {
  const list = addMasterKey(keys);
  const joined = createSecretBox(list);
  const rotated = createSecretBox(promoted(list));
  expect(joined.seal('x', 'c')).toMatch(/^v1\./);
  expect(joined.derive('token')).toBe(box.derive('token'));
  expect(joined.fingerprint('x', 'p')).toEqual(box.fingerprint('x', 'p'));
  expect(joined.open(rotated.seal('new', 'c'), 'c')).toBe('new');
  expect(joined.deriveAll('token')).toContain(rotated.derive('token'));
});

test('without the old key only what the new one made is recognised, and what the old one sealed says which key is missing', () => {
  const list = promoted(addMasterKey(keys));
  const alone = createSecretBox(removeMasterKey(list, 'v1') ?? '');
  expect(alone.versions).toEqual(['v2']);
  expect(alone.open(createSecretBox(list).seal('x', 'c'), 'c')).toBe('x');
  expect(alone.deriveAll('token')).not.toContain(box.derive('token'));
  expect(() => alone.open(box.seal('x', 'c'), 'c')).toThrow('Sealed with master key v1, which is not in MASTER_KEYS.');
  expect(() => alone.openBytes(box.sealBytes(Buffer.from('x'), 'c'), 'c')).toThrow('v1');
});

test('a check distinguishes a key from another of the same version, and is neither the key nor derived for anything else', () => {
  const [check] = box.checks();
  expect(createSecretBox(keys).checks()).toEqual([check]);
  expect(createSecretBox(generateMasterKeys()).checks()).not.toEqual([check]);
  expect(check?.check.toString('base64')).not.toBe(keys.slice('v1:'.length));
});

// ASVS 11.3.4
test('no nonce is used twice', () => {
  const nonces = Array.from({ length: 5_000 }, () =>
    box.sealBytes(Buffer.from('x'), 'c').subarray(3, 15).toString('hex'),
  );
  expect(new Set(nonces).size).toBe(nonces.length);
  expect(nonces[0]).toMatch(/^[0-9a-f]{24}$/);
});

// ASVS 11.3.1, 11.3.2
test('a value whose tag is shortened does not open, though AES-GCM allows tags of four bytes', () => {
  const [version, text = ''] = box.seal('x', 'c').split('.');
  const bytes = Buffer.from(text, 'base64');
  for (const cut of [1, 4, 8, 12]) {
    const short = bytes.subarray(0, bytes.length - cut).toString('base64');
    expect(() => box.open(`${version}.${short}`, 'c')).toThrow();
  }
});

test('bytes open again as they were, even if empty or no text, and not elsewhere or changed', () => {
  const photo = new Uint8Array([0, 0xff, 0xd8, 0x2e, 0x00, 0x80]);
  const sealed = box.sealBytes(photo, 'document:1');
  expect(box.openBytes(sealed, 'document:1')).toEqual(Buffer.from(photo));
  expect(box.openBytes(box.sealBytes(new Uint8Array(), 'c'), 'c')).toEqual(Buffer.alloc(0));
  expect(sealed.includes(Buffer.from(photo))).toBe(false);
  expect(box.sealBytes(photo, 'document:1')).not.toEqual(sealed);
  expect(() => box.openBytes(sealed, 'document:2')).toThrow();
  expect(() => createSecretBox(generateMasterKeys()).openBytes(sealed, 'document:1')).toThrow();
  for (const at of [3, 16, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => box.openBytes(changed, 'document:1')).toThrow();
  }
  for (const cut of [0, 2, 3, 10, sealed.length - 1]) {
    expect(() => box.openBytes(sealed.subarray(0, cut), 'document:1')).toThrow();
  }
  const rotated = createSecretBox(promoted(addMasterKey(keys)));
  expect(rotated.openBytes(sealed, 'document:1')).toEqual(Buffer.from(photo));
});

test('what is derived differs by purpose', () => {
  expect(box.derive('a')).not.toBe(box.derive('b'));
  expect(box.fingerprint('x', 'a')).not.toEqual(box.fingerprint('x', 'b'));
});

// ASVS 11.2.3
test.each(['', 'nonsense', 'v1:abc', 'v1:', `${keys},`])('"%s" is rejected with a text that shows no key', (text) => {
  expect(() => createSecretBox(text)).toThrow(/MASTER_KEYS must be/);
});

test('equal texts of one context are sealed alike, open again, and are found under whichever key sealed them', () => {
  const rotated = createSecretBox(promoted(addMasterKey(keys)));
  const sealed = box.sealEqual('request', 'row:1');
  expect(box.sealEqual('request', 'row:1')).toEqual(sealed);
  expect(box.openBytes(sealed, 'row:1').toString()).toBe('request');
  expect(rotated.sealEqualAll('request', 'row:1')).toContainEqual(sealed);
  expect(rotated.sealEqualAll('request', 'row:1')[0]).toEqual(rotated.sealEqual('request', 'row:1'));
  expect(box.sealEqual('request', 'row:2').subarray(3, 15)).not.toEqual(sealed.subarray(3, 15));
  expect(box.sealEqual('another', 'row:1').subarray(3, 15)).not.toEqual(sealed.subarray(3, 15));
  expect(() => box.openBytes(sealed, 'row:2')).toThrow();
});
