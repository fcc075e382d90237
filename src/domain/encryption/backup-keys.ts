import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Each, SecretBox } from './secret-box.ts';

/**
 * The keys for backups of one master key. `secret` seals and opens. `publicKey`, which is not
 * secret, seals, and `privateKey` opens (X25519, RFC 7748).
 */
export type BackupKey = { secret: Buffer; publicKey: Buffer; privateKey: KeyObject };

/** The length of an X25519 public key. */
export const PUBLIC_KEY_BYTES = 32;
/**
 * The PKCS #8 header of an X25519 private key (RFC 8410 section 7), which any 32 bytes may follow.
 */
const PKCS8_X25519_HEX = '302e020100300506032b656e04220420';
/** The beginning of a public key that is shown, so that nobody mistakes a master key for one. */
const PREFIX = 'trilho-backup-key:';

/** Returns the keys of each master key, first those of the one that seals. */
export function backupKeys(box: Pick<SecretBox, 'deriveAll'>): Each<BackupKey> {
  const secrets = box.deriveAll('backup');
  const [first, ...others] = box.deriveAll('backup-x25519');
  return [keyOf(secrets[0], first), ...others.map((other, at) => keyOf(secrets[at + 1] ?? '', other))];
}

function keyOf(secret: string, x25519: string): BackupKey {
  const der = Buffer.concat([Buffer.from(PKCS8_X25519_HEX, 'hex'), Buffer.from(x25519, 'base64url')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    secret: Buffer.from(secret, 'base64url'),
    publicKey: publicKeyBytes(createPublicKey(privateKey)),
    privateKey,
  };
}

export const publicKeyBytes = (key: KeyObject): Buffer =>
  Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');

export const publicKeyOf = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: bytes.toString('base64url') }, format: 'jwk' });

/** Returns the text of a public key that operators copy. */
export const formatBackupPublicKey = (publicKey: Buffer): string => PREFIX + publicKey.toString('base64url');

/** Reads formatBackupPublicKey's text; `null` for any other text. */
export function parseBackupPublicKey(text: string): Buffer | null {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const bytes = Buffer.from(encoded, 'base64url');
  return bytes.length === PUBLIC_KEY_BYTES && bytes.toString('base64url') === encoded ? bytes : null;
}
