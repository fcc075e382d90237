import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BackupError } from './backup-error.ts';
import { openStream, sealStream } from './sealed-stream.ts';

const PASSPHRASE = 'quatro palavras bem diferentes';
const CHUNK = 64 * 1024;
const HEAD = 16 + 16 + 7;

async function* chunksOf(bytes: Buffer, size = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

const seal = (bytes: Buffer) => collect(sealStream(chunksOf(bytes), PASSPHRASE));
const unseal = (bytes: Buffer, passphrase = PASSPHRASE) => collect(openStream(chunksOf(bytes, 7_001), passphrase));

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5])(
  'a stream of %d bytes comes back as it was',
  async (length) => {
    const plain = randomBytes(length);
    expect(await unseal(await seal(plain))).toEqual(plain);
  },
);

describe('a sealed stream is rejected', () => {
  const plain = randomBytes(2 * CHUNK + 100);
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
    await expect(unseal(change(await seal(plain)))).rejects.toThrow(BackupError);
  });

  test('with another passphrase', async () => {
    await expect(unseal(await seal(plain), 'quatro palavras bem parecidas')).rejects.toThrow(BackupError);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}
