import {
  createCipheriv,
  createDecipheriv,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scrypt,
} from 'node:crypto';
import { promisify } from 'node:util';
import { type BackupKey, PUBLIC_KEY_BYTES, publicKeyBytes, publicKeyOf } from '#domain/encryption/backup-keys.ts';
import { BackupError, OtherKeysError } from './backup-error.ts';
import { createFrameReader, type FrameReader, frame } from './frames.ts';

/** What a backup is sealed with: whoever has the public key alone can't open it. */
export type Sealing = { key: BackupKey } | { passphrase: string } | { publicKey: Buffer };
/**
 * What may open a backup; the backup's beginning says which of them does. Anybody may have made a
 * backup that is sealed with a public key, because that key is in each file: it is opened only with
 * `acceptsPublicKey`.
 */
export type Opening = { passphrase: string | null; keys: readonly BackupKey[]; acceptsPublicKey?: boolean };

/**
 * A stream of any length, sealed: chunks of AES-256-GCM, each with a number and a mark on the last
 * one in its nonce, so that none can be changed, left out, moved or cut off (STREAM, Hoang,
 * Reyhanitabar, Rogaway and Vizár 2015, as age and Tink have it).
 *
 * A format of 16 bytes, what its key is made of, 7 bytes of the nonce's beginning; then chunks,
 * each a frame (frames.ts) of ciphertext and 16 bytes of tag. What the key is made of:
 *
 * - `TRILHO-BACKUP-1`: 16 bytes of salt, for scrypt.
 * - `TRILHO-BACKUP-2`: the public key that it is sealed for and one of this file alone, 32 bytes
 *   each. The key is HKDF-SHA-256 (RFC 5869) of the secret that X25519 (RFC 7748) gives for the
 *   two, with both as the salt and the format as the info; as age has it for its recipients.
 * - `TRILHO-BACKUP-3`: the public key of the master key that it is sealed with, as its name, and a
 *   salt, 32 bytes each. The key is HKDF-SHA-256 of a secret derived from the master key, with that
 *   salt and the format as the info.
 */
const format = (number: 1 | 2 | 3) => Buffer.from(`TRILHO-BACKUP-${number}\n`);
const FORMATS = { passphrase: format(1), publicKey: format(2), key: format(3) };
const FORMAT_BYTES = 16;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const KEY_SALT_BYTES = 32;
const NONCE_PREFIX_BYTES = 7;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const SEALED_BYTES_MAX = CHUNK_BYTES + TAG_BYTES;
/** 128 MiB and some tenths of a second for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

/** Yields the sealed bytes of `plain`, in the format above. */
export async function* sealStream(plain: AsyncIterable<Buffer>, sealing: Sealing): AsyncGenerator<Buffer> {
  const prefix = randomBytes(NONCE_PREFIX_BYTES);
  const { key, head } = await newKey(sealing);
  yield Buffer.concat([head, prefix]);
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

/**
 * Yields the plain bytes. Throws BackupError before it yields a byte that was changed or that
 * `opening` does not open.
 */
export async function* openStream(sealed: AsyncIterable<Buffer>, opening: Opening): AsyncGenerator<Buffer> {
  const reader = createFrameReader(sealed);
  const { key, isRight } = await readKey(reader, opening);
  const prefix = await takeHead(reader, NONCE_PREFIX_BYTES);
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
        number === 0 && !isRight
          ? 'The passphrase is another one, or the backup was changed.'
          : 'The backup was changed or cut off: take another one.',
      );
    }
    if (plain.length > 0) yield plain;
  }
}

/** `isRight`: it is known to be the right key before anything is opened. */
async function readKey(
  reader: FrameReader,
  { passphrase, keys, acceptsPublicKey = false }: Opening,
): Promise<{ key: Buffer; isRight: boolean }> {
  const beginning = await reader.take(FORMAT_BYTES);
  if (beginning?.equals(FORMATS.passphrase)) {
    const salt = await takeHead(reader, SALT_BYTES);
    if (passphrase === null)
      throw new BackupError(
        'The backup is sealed with a passphrase: name the file that holds it with --passphrase-file.',
      );
    return { key: await stretch(passphrase, salt), isRight: false };
  }
  const isForPublicKey = beginning?.equals(FORMATS.publicKey) ?? false;
  if (!isForPublicKey && !beginning?.equals(FORMATS.key)) throw new BackupError('This is no backup of Trilho.');
  const publicKey = await takeHead(reader, PUBLIC_KEY_BYTES);
  const salt = await takeHead(reader, KEY_SALT_BYTES);
  const own = keys.find((one) => one.publicKey.equals(publicKey));
  if (!own) {
    throw new OtherKeysError(
      'The backup is sealed for other master keys than those that are here: put those of its time into MASTER_KEYS, or into the file master-keys of the data folder.',
    );
  }
  if (!isForPublicKey) return { key: stretchSecret(own, salt), isRight: true };
  if (!acceptsPublicKey) {
    throw new BackupError(
      'The backup was sealed with a public key, with which anybody could have made it: if you are sure of where it is from, say so with --from-public-key.',
    );
  }
  return { key: agree(own.privateKey, salt, { publicKey, ephemeral: salt }), isRight: true };
}

async function takeHead(reader: FrameReader, bytes: number): Promise<Buffer> {
  const head = await reader.take(bytes);
  if (!head) throw new BackupError('The backup was cut off: take another one.');
  return head;
}

function newKey(sealing: Sealing): Promise<{ key: Buffer; head: Buffer }> | { key: Buffer; head: Buffer } {
  if ('passphrase' in sealing) return fromPassphrase(sealing.passphrase);
  return 'key' in sealing ? fromKey(sealing.key) : fromPublicKey(sealing.publicKey);
}

function fromKey(own: BackupKey) {
  const salt = randomBytes(KEY_SALT_BYTES);
  return { key: stretchSecret(own, salt), head: Buffer.concat([FORMATS.key, own.publicKey, salt]) };
}

const stretchSecret = ({ secret }: BackupKey, salt: Buffer) =>
  Buffer.from(hkdfSync('sha256', secret, salt, FORMATS.key, KEY_BYTES));

async function fromPassphrase(passphrase: string) {
  const salt = randomBytes(SALT_BYTES);
  return { key: await stretch(passphrase, salt), head: Buffer.concat([FORMATS.passphrase, salt]) };
}

function fromPublicKey(publicKey: Buffer) {
  const own = generateKeyPairSync('x25519');
  const ephemeral = publicKeyBytes(own.publicKey);
  return {
    key: agree(own.privateKey, publicKey, { publicKey, ephemeral }),
    head: Buffer.concat([FORMATS.publicKey, publicKey, ephemeral]),
  };
}

/** The key that either private half makes with the other's public one. */
function agree(privateKey: KeyObject, other: Buffer, of: { publicKey: Buffer; ephemeral: Buffer }): Buffer {
  const secret = secretOf(privateKey, other);
  const salt = Buffer.concat([of.ephemeral, of.publicKey]);
  return Buffer.from(hkdfSync('sha256', secret, salt, FORMATS.publicKey, KEY_BYTES));
}

function secretOf(privateKey: KeyObject, other: Buffer): Buffer {
  try {
    return diffieHellman({ privateKey, publicKey: publicKeyOf(other) });
  } catch {
    // A public key with which every private one makes the same secret.
    throw new BackupError('The public key is none, or the backup was changed.');
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

/** Asynchronous, so that requests are served while a key is derived. */
const derive: (text: string, salt: Buffer, bytes: number, options: typeof SCRYPT) => Promise<Buffer> =
  promisify(scrypt);
const stretch = (passphrase: string, salt: Buffer) => derive(passphrase.normalize('NFKC'), salt, KEY_BYTES, SCRYPT);

function nonceOf(prefix: Buffer, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_PREFIX_BYTES + 5);
  prefix.copy(nonce);
  nonce.writeUInt32BE(number, NONCE_PREFIX_BYTES);
  nonce[NONCE_PREFIX_BYTES + 4] = isLast ? 1 : 0;
  return nonce;
}
