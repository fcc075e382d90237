import { expect, test } from 'vitest';
import { createSecretBox, generateMasterKeys } from './secret-box.ts';

const keys = generateMasterKeys();
const box = createSecretBox(keys);

test('what is sealed opens again, and looks different each time', () => {
  const sealed = box.seal('whsec_segredo', 'a');
  expect(box.open(sealed, 'a')).toBe('whsec_segredo');
  expect(box.seal('whsec_segredo', 'a')).not.toBe(sealed);
  expect(sealed).not.toContain('segredo');
});

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

test('after a rotation the old still opens, the new seals, and what was derived stays', () => {
  const rotated = createSecretBox(`${generateMasterKeys().replace('v1:', 'v2:')},${keys}`);
  expect(rotated.open(box.seal('old', 'c'), 'c')).toBe('old');
  expect(rotated.seal('new', 'c')).toMatch(/^v2\./);
  expect(rotated.derive('token')).toBe(box.derive('token'));
  expect(rotated.fingerprint('12345678909', 'document')).toEqual(box.fingerprint('12345678909', 'document'));
  expect(() => box.open(rotated.seal('new', 'c'), 'c')).toThrow(/v2/);
});

test('bytes open again as they were, also none and those that are no text, and not elsewhere or changed', () => {
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
  const rotated = createSecretBox(`${generateMasterKeys().replace('v1:', 'v2:')},${keys}`);
  expect(rotated.openBytes(sealed, 'document:1')).toEqual(Buffer.from(photo));
});

test('what is derived differs by purpose', () => {
  expect(box.derive('a')).not.toBe(box.derive('b'));
  expect(box.fingerprint('x', 'a')).not.toEqual(box.fingerprint('x', 'b'));
});

test.each(['', 'nonsense', 'v1:abc', 'v1:', `${keys},`])('"%s" is refused with a text that shows no key', (text) => {
  expect(() => createSecretBox(text)).toThrow(/MASTER_KEYS must be/);
});
