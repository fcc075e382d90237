import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { KEY_BYTES, type MasterKey, parseMasterKeys, VERSION_LENGTH_MAX } from './master-keys.ts';

/**
 * AES-GCM wants a 96-bit nonce that is never used twice; a random one is safe up to 2^32 seals a
 * key.
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** One value for each key that is present; the first is that of the key that seals. */
export type Each<T> = [T, ...T[]];

/**
 * Secrets at rest. `context` names what is sealed and whose it is (`webhook-secret:<account id>`),
 * so that a sealed value copied into another row does not open there.
 *
 * The first master key seals, and makes fingerprints and derived secrets. Every other key that is
 * present still opens what it sealed, and what it made is still recognised (`fingerprints`,
 * `deriveAll`). A key is needed no more once its values are all sealed again
 * (docs/key-rotation.md).
 */
export type SecretBox = {
  /** The versions of the keys that are present; the first is the one that seals. */
  versions: Readonly<Each<string>>;
  seal(text: string, context: string): string;
  /** Throws when the value was sealed with another key or context, or was changed. */
  open(sealed: string, context: string): string;
  /** Seals bytes: `v1.`, then nonce, ciphertext and tag as they are. */
  sealBytes(bytes: Uint8Array, context: string): Buffer;
  /** Opens what `sealBytes` and `sealEqual` made. Throws as `open` does. */
  openBytes(sealed: Uint8Array, context: string): Buffer;
  /**
   * Seals a text so that equal texts of one context have equal values: they can be looked up like
   * fingerprints, and yet be sealed again under a newer key. Whoever reads the values sees which
   * texts of a context are equal, so this is only for texts that each have a context of their own.
   */
  sealEqual(text: string, context: string): Buffer;
  /** The values that `sealEqual` may have made of a text, one for each key. */
  sealEqualAll(text: string, context: string): Each<Buffer>;
  /**
   * A keyed fingerprint to store: equal texts have equal fingerprints, and without the key the text
   * can't be guessed. To look a stored one up, use `fingerprints`.
   */
  fingerprint(text: string, purpose: string): Buffer;
  /** The fingerprints that a text may have been stored with, one for each key. */
  fingerprints(text: string, purpose: string): Each<Buffer>;
  /**
   * A secret to hand out, which every process with the same keys derives alike, so that it is not
   * stored.
   */
  derive(purpose: string): string;
  /** The secrets that `derive` may have returned, one for each key. */
  deriveAll(purpose: string): Each<string>;
  /** For each key a value that proves that it is this key, and says nothing about it. */
  checks(): { version: string; check: Buffer }[];
};

/**
 * @param masterKeys `v2:<base64 of 32 bytes>,v1:<…>`: the first seals, all open. Throws with a text
 *   that never shows a key.
 */
export function createSecretBox(masterKeys: string): SecretBox {
  const keys = parseMasterKeys(masterKeys);
  const [current] = keys;
  const keyOf = (version: string) => {
    const key = keys.find((k) => k.version === version)?.key;
    if (!key) throw new Error(`Sealed with master key ${version}, which is not in MASTER_KEYS.`);
    return key;
  };
  // Cached by purpose, because deriving a key takes several times as long as using it. There are
  // few purposes: all are constants of the code.
  const fingerprintKeys = new Map<string, Each<KeyObject>>();
  const fingerprintKeysOf = (purpose: string) => {
    const known =
      fingerprintKeys.get(purpose) ??
      mapKeys(keys, ({ key }) => createSecretKey(derive(key, `fingerprint:${purpose}`)));
    fingerprintKeys.set(purpose, known);
    return known;
  };
  return {
    versions: mapKeys(keys, ({ version }) => version),
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
    sealEqual: (text, context) => sealEqualWith(current, text, context),
    sealEqualAll: (text, context) => mapKeys(keys, (key) => sealEqualWith(key, text, context)),
    fingerprint: (text, purpose) => fingerprintWith(fingerprintKeysOf(purpose)[0], text),
    fingerprints: (text, purpose) => mapKeys(fingerprintKeysOf(purpose), (key) => fingerprintWith(key, text)),
    derive: (purpose) => derive(current.key, purpose).toString('base64url'),
    deriveAll: (purpose) => mapKeys(keys, ({ key }) => derive(key, purpose).toString('base64url')),
    checks: () => keys.map(({ version, key }) => ({ version, check: derive(key, 'master-key-check') })),
  };
}

const mapKeys = <T, U>([first, ...others]: Each<T>, change: (of: T) => U): Each<U> => [
  change(first),
  ...others.map(change),
];

const fingerprintWith = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * The nonce is made of what is sealed (as in RFC 5297), so that one nonce never meets two texts: a
 * repeated one would need two texts with the same 96 bits of HMAC.
 */
function sealEqualWith({ version, key }: MasterKey, text: string, context: string): Buffer {
  const nonce = createHmac('sha256', derive(key, 'equal-nonce'))
    .update(`${context.length} ${context} ${text}`)
    .digest()
    .subarray(0, NONCE_BYTES);
  return Buffer.concat([Buffer.from(`${version}.`), ...encrypt(key, Buffer.from(text), context, nonce)]);
}

/** Nonce, ciphertext and tag, in the order in which they are kept. */
function encrypt(key: KeyObject, bytes: Uint8Array, context: string, nonce = randomBytes(NONCE_BYTES)): Buffer[] {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return [nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
}

function decrypt(key: KeyObject, box: Buffer, context: string): Buffer {
  const nonce = box.subarray(0, NONCE_BYTES);
  // With the length given, Node rejects a shorter tag, which would be easier to forge.
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(box.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** A key of its own for each purpose. */
const derive = (root: KeyObject, purpose: string) => Buffer.from(hkdfSync('sha256', root, '', purpose, KEY_BYTES));
