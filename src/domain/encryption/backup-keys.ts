import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Each, SecretBox } from './secret-box.ts';

/**
 * What backups are sealed with, of one master key. `secret`: whoever has it seals and opens.
 * `publicKey`, which is no secret: whoever has it seals, and `privateKey` opens; X25519 (RFC 7748).
 */
export type BackupKey = { secret: Buffer; publicKey: Buffer; privateKey: KeyObject };

/** An X25519 key in bytes. */
export const PUBLIC_KEY_BYTES = 32;
/** In front of a private key of 32 bytes, which may be any: PKCS #8 (RFC 8410 section 7). */
const PKCS8_X25519_HEX = '302e020100300506032b656e04220420';
/** In front of a public key that is shown, so that nobody takes a master key for one. */
const PREFIX = 'trilho-backup-key:';

/** Those of each master key, of the one that seals first. */
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

/** As an operator copies it. */
export const formatBackupPublicKey = (publicKey: Buffer): string => PREFIX + publicKey.toString('base64url');

/** Null for a text that is no public key of a backup. */
export function parseBackupPublicKey(text: string): Buffer | null {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const bytes = Buffer.from(encoded, 'base64url');
  return bytes.length === PUBLIC_KEY_BYTES && bytes.toString('base64url') === encoded ? bytes : null;
}
