import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** AES-256-GCM wants 32 bytes of key and a 96-bit nonce that is never used twice; random is safe up to 2^32 seals a key. */
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `v` and a number; what is longer is no version. */
const VERSION_LENGTH_MAX = 8;

/**
 * Secrets at rest. `context` names what is sealed and whose it is (`webhook-secret:<account id>`), so that a sealed value
 * copied into another row does not open there.
 */
export type SecretBox = {
  seal(text: string, context: string): string;
  /** Throws when the value was sealed with another key or context, or was changed. */
  open(sealed: string, context: string): string;
  /** The same for bytes: `v1.`, then nonce, ciphertext and tag as they are. */
  sealBytes(bytes: Uint8Array, context: string): Buffer;
  openBytes(sealed: Uint8Array, context: string): Buffer;
  /** A keyed fingerprint: equal texts have equal ones, nobody without the key can tell which text. */
  fingerprint(text: string, purpose: string): Buffer;
  /** A secret that every process with the same master key derives alike, so that it needs no storing. */
  derive(purpose: string): string;
};

/**
 * @param masterKeys `v2:<base64 of 32 bytes>,v1:<…>`: the first seals, all open. Throws with a text that never shows a key.
 */
export function createSecretBox(masterKeys: string): SecretBox {
  const keys = parseMasterKeys(masterKeys);
  const [current] = keys;
  if (!current) throw new Error('No master key.');
  // What is derived must not change when a newer key is put in front: the oldest key is the root.
  const root = keys[keys.length - 1]?.key ?? current.key;
  const keyOf = (version: string) => {
    const key = keys.find((k) => k.version === version)?.key;
    if (!key) throw new Error(`Sealed with master key ${version}, which is not in MASTER_KEYS.`);
    return key;
  };
  // Made once for each purpose, all of which are our own words: deriving a key takes several times as long as using it.
  const fingerprintKeys = new Map<string, KeyObject>();
  const fingerprintKey = (purpose: string) => {
    const known = fingerprintKeys.get(purpose) ?? createSecretKey(derive(root, `fingerprint:${purpose}`));
    fingerprintKeys.set(purpose, known);
    return known;
  };
  return {
    seal: (text, context) =>
      `${current.version}.${Buffer.concat(encrypt(current.key, Buffer.from(text), context)).toString('base64')}`,
    open(sealed, context) {
      const [version = '', base64 = ''] = sealed.split('.');
      return decrypt(keyOf(version), Buffer.from(base64, 'base64'), context).toString('utf8');
    },
    sealBytes: (bytes, context) =>
      Buffer.concat([Buffer.from(`${current.version}.`), ...encrypt(current.key, bytes, context)]),
    openBytes(sealed, context) {
      const box = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const versionEnd = box.subarray(0, VERSION_LENGTH_MAX + 1).indexOf('.');
      const version = box.toString('latin1', 0, Math.max(versionEnd, 0));
      return decrypt(keyOf(version), box.subarray(versionEnd + 1), context);
    },
    fingerprint: (text, purpose) => createHmac('sha256', fingerprintKey(purpose)).update(text).digest(),
    derive: (purpose) => derive(root, purpose).toString('base64url'),
  };
}

/** Nonce, ciphertext and tag, in the order in which they are kept. */
function encrypt(key: KeyObject, bytes: Uint8Array, context: string): Buffer[] {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return [nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
}

function decrypt(key: KeyObject, box: Buffer, context: string): Buffer {
  const nonce = box.subarray(0, NONCE_BYTES);
  // With the length said, Node refuses a shorter tag, which would be easier to forge.
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(box.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** A fresh MASTER_KEYS value. */
export const generateMasterKeys = (): string => `v1:${randomBytes(KEY_BYTES).toString('base64')}`;

const derive = (root: KeyObject, purpose: string) => Buffer.from(hkdfSync('sha256', root, '', purpose, KEY_BYTES));

/** As key objects: handed bytes, Node makes a new one for each use, which takes longer than the use. */
function parseMasterKeys(text: string): { version: string; key: KeyObject }[] {
  return text.split(',').map((part) => {
    const match = /^\s*(v\d+):([A-Za-z0-9+/]+=*)\s*$/.exec(part);
    const key = Buffer.from(match?.[2] ?? '', 'base64');
    if (!match?.[1] || key.length !== KEY_BYTES) {
      throw new Error('MASTER_KEYS must be v1:<base64 of 32 bytes>, newer keys in front, separated by commas.');
    }
    return { version: match[1], key: createSecretKey(key) };
  });
}
