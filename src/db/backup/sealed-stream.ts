import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { BackupError } from './backup-error.ts';
import { createFrameReader, frame } from './frames.ts';

/**
 * A stream of any length, sealed with a passphrase: chunks of AES-256-GCM, each with a number and a
 * mark on the last one in its nonce, so that none can be changed, left out, moved or cut off
 * (STREAM, Hoang, Reyhanitabar, Rogaway and Vizár 2015, as age and Tink have it).
 *
 * FORMAT, 16 bytes of salt, 7 of the nonce's beginning; then chunks, each a frame
 * (frames.ts) of ciphertext and 16 bytes of tag.
 */
const FORMAT = 'TRILHO-BACKUP-1\n';
const MAGIC = Buffer.from(FORMAT);
const SALT_BYTES = 16;
const NONCE_PREFIX_BYTES = 7;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const SEALED_BYTES_MAX = CHUNK_BYTES + TAG_BYTES;
/** 128 MiB and some tenths of a second for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

export async function* sealStream(plain: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const prefix = randomBytes(NONCE_PREFIX_BYTES);
  const key = await keyOf(passphrase, salt);
  yield Buffer.concat([MAGIC, salt, prefix]);
  const seal = (chunk: Buffer, number: number, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(prefix, number, isLast));
    const sealed = Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    return frame(sealed);
  };
  let number = 0;
  let waiting: Buffer | null = null;
  for await (const chunk of cut(plain)) {
    if (waiting) yield seal(waiting, number++, false);
    waiting = chunk;
  }
  yield seal(waiting ?? Buffer.alloc(0), number, true);
}

/** Throws BackupError before it gives a byte that was not sealed so. */
export async function* openStream(sealed: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const reader = createFrameReader(sealed);
  const head = await reader.take(MAGIC.length + SALT_BYTES + NONCE_PREFIX_BYTES);
  if (!head?.subarray(0, MAGIC.length).equals(MAGIC)) throw new BackupError('This is no backup of Trilho.');
  const key = await keyOf(passphrase, head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES));
  const prefix = head.subarray(MAGIC.length + SALT_BYTES);
  let next = await reader.next(SEALED_BYTES_MAX);
  if (next === null) throw new BackupError('The backup was cut off: take another one.');
  for (let number = 0; next !== null; number++) {
    const chunk = next;
    next = await reader.next(SEALED_BYTES_MAX);
    if (chunk.length < TAG_BYTES) throw new BackupError('The backup was changed: take another one.');
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(prefix, number, next === null));
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
    const plain = decipher.update(chunk.subarray(0, -TAG_BYTES));
    try {
      decipher.final();
    } catch {
      throw new BackupError(
        number === 0
          ? 'The passphrase is another one, or the backup was changed.'
          : 'The backup was changed or cut off: take another one.',
      );
    }
    if (plain.length > 0) yield plain;
  }
}

async function* cut(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    parts.push(chunk);
    length += chunk.length;
    if (length < CHUNK_BYTES) continue;
    const all = Buffer.concat(parts);
    const whole = all.length - (all.length % CHUNK_BYTES);
    for (let at = 0; at < whole; at += CHUNK_BYTES) yield all.subarray(at, at + CHUNK_BYTES);
    parts = [all.subarray(whole)];
    length = all.length - whole;
  }
  if (length > 0) yield Buffer.concat(parts);
}

/** Beside requests that go on: it is not derived in their thread. */
const derive: (text: string, salt: Buffer, bytes: number, options: typeof SCRYPT) => Promise<Buffer> =
  promisify(scrypt);
const keyOf = (passphrase: string, salt: Buffer) => derive(passphrase.normalize('NFKC'), salt, 32, SCRYPT);

function nonceOf(prefix: Buffer, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_PREFIX_BYTES + 5);
  prefix.copy(nonce);
  nonce.writeUInt32BE(number, NONCE_PREFIX_BYTES);
  nonce[NONCE_PREFIX_BYTES + 4] = isLast ? 1 : 0;
  return nonce;
}
