import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { BackupError } from './backup-error.ts';
import { type Opening, openStream, type Sealing, sealStream } from './sealed-stream.ts';

const PASSPHRASE = 'quatro palavras bem diferentes';
const CHUNK = 64 * 1024;
const HEAD = 16 + 16 + 7;
const KEY_HEAD = 16 + 32 + 32 + 7;

async function* chunksOf(bytes: Buffer, size = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

const keys = createSecretBox(generateMasterKeys());
const [pair] = backupKeys(keys);
const WITH_PASSPHRASE = { passphrase: PASSPHRASE };
const FOR_KEY = { publicKey: pair.publicKey };
const BY_KEY = { key: pair };
const OPENING: Opening = { passphrase: PASSPHRASE, keys: backupKeys(keys), acceptsPublicKey: true };

const seal = (bytes: Buffer, sealing: Sealing = WITH_PASSPHRASE) => collect(sealStream(chunksOf(bytes), sealing));
const unseal = (bytes: Buffer, opening = OPENING) => collect(openStream(chunksOf(bytes, 7_001), opening));

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5])(
  'a stream of %d bytes comes back as it was',
  async (length) => {
    const plain = randomBytes(length);
    expect(await unseal(await seal(plain, BY_KEY), { passphrase: null, keys: [pair] })).toEqual(plain);
    expect(await unseal(await seal(plain, FOR_KEY), { ...OPENING, passphrase: null })).toEqual(plain);
  },
);

test('each file that is sealed for a public key has a secret of its own, and opens as long as its master key is there', async () => {
  const plain = Buffer.from('o mesmo texto');
  const [one, two] = [await seal(plain, FOR_KEY), await seal(plain, FOR_KEY)];
  const ephemeral = (sealed: Buffer) => sealed.subarray(16 + 32, 16 + 64);
  expect(ephemeral(one)).not.toEqual(ephemeral(two));
  expect(one.subarray(KEY_HEAD)).not.toEqual(two.subarray(KEY_HEAD));
  const others = backupKeys(createSecretBox(generateMasterKeys()));
  expect(await unseal(one, { ...OPENING, keys: [...others, pair] })).toEqual(plain);
  await expect(unseal(one, { passphrase: PASSPHRASE, keys: others })).rejects.toThrow('for other master keys');
});

test('a stream that is sealed with a passphrase opens with it, and is rejected without it', async () => {
  const plain = randomBytes(2 * CHUNK + 5);
  const sealed = await seal(plain);
  expect(await unseal(sealed)).toEqual(plain);
  await expect(unseal(sealed, { ...OPENING, passphrase: null })).rejects.toThrow('sealed with a passphrase');
});

test('a stream that is sealed with a public key is opened only where that is accepted, even under another format’s name', async () => {
  const forged = await seal(Buffer.from('books of somebody else'), FOR_KEY);
  const opening = { passphrase: null, keys: [pair] };
  await expect(unseal(forged, opening)).rejects.toThrow('sealed with a public key');
  const renamed = Buffer.concat([Buffer.from('TRILHO-BACKUP-3\n'), forged.subarray(16)]);
  await expect(unseal(renamed, opening)).rejects.toThrow('changed');
});

describe('a stream that is sealed with the master key is rejected', () => {
  test.each<[string, (sealed: Buffer) => Buffer]>([
    ['whose salt was changed', (sealed) => flipped(sealed, 16 + 32 + 5)],
    ['of which one bit was changed', (sealed) => flipped(sealed, KEY_HEAD + 40)],
    ['that lacks its last chunk', (sealed) => sealed.subarray(0, KEY_HEAD + 4 + CHUNK + 16)],
    ['of another master key', (sealed) => flipped(sealed, 20)],
  ])('%s', async (_, change) => {
    const sealed = await seal(randomBytes(CHUNK + 100), BY_KEY);
    await expect(unseal(change(sealed))).rejects.toThrow(BackupError);
  });
});

describe('a stream that is sealed for a key is rejected', () => {
  test.each<[string, (sealed: Buffer) => Buffer]>([
    ['whose own public key was changed', (sealed) => flipped(sealed, 16 + 32 + 5)],
    [
      'whose own public key gives everybody the same secret',
      (sealed) => Buffer.concat([sealed.subarray(0, 16 + 32), Buffer.alloc(32), sealed.subarray(16 + 64)]),
    ],
    ['of which one bit was changed', (sealed) => flipped(sealed, KEY_HEAD + 40)],
    ['of the head alone', (sealed) => sealed.subarray(0, KEY_HEAD - 2)],
    [
      'that says it has a passphrase',
      (sealed) => Buffer.concat([Buffer.from('TRILHO-BACKUP-1\n'), sealed.subarray(16)]),
    ],
  ])('%s', async (_, change) => {
    const sealed = await seal(randomBytes(CHUNK + 100), FOR_KEY);
    await expect(unseal(change(sealed))).rejects.toThrow(BackupError);
  });
});

describe('a sealed stream is rejected', () => {
  const sealing = seal(randomBytes(2 * CHUNK + 100));
  const sealedChunk = 4 + CHUNK + 16;

  test.each<[string, (sealed: Buffer) => Buffer]>([
    ['of which one bit was changed', (sealed) => flipped(sealed, HEAD + sealedChunk + 1_000)],
    ['whose salt was changed', (sealed) => flipped(sealed, 20)],
    ['that lacks its last chunk', (sealed) => sealed.subarray(0, HEAD + 2 * sealedChunk)],
    ['that ends within a chunk', (sealed) => sealed.subarray(0, HEAD + sealedChunk + 500)],
    ['of the head alone', (sealed) => sealed.subarray(0, HEAD + 2)],
    [
      'whose chunks changed places',
      (sealed) =>
        Buffer.concat([
          sealed.subarray(0, HEAD),
          sealed.subarray(HEAD + sealedChunk, HEAD + 2 * sealedChunk),
          sealed.subarray(HEAD, HEAD + sealedChunk),
          sealed.subarray(HEAD + 2 * sealedChunk),
        ]),
    ],
    [
      'that goes on after its last chunk',
      (sealed) => Buffer.concat([sealed, sealed.subarray(HEAD, HEAD + sealedChunk)]),
    ],
    ['that is something else', () => Buffer.from('PGDMP and then some more bytes than a head has')],
  ])('%s', async (_, change) => {
    await expect(unseal(change(await sealing))).rejects.toThrow(BackupError);
  });

  test('with another passphrase', async () => {
    const other = { ...OPENING, passphrase: 'quatro palavras bem parecidas' };
    await expect(unseal(await sealing, other)).rejects.toThrow('The passphrase is another one');
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}
