import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { setSettingOnce } from '#db/connection/settings.ts';
import type { Deps } from '../deps.ts';

/** Signs the heads of the ledger proof. */
export type SigningKey = {
  /** 32 bytes, hexadecimal. */
  publicKey: string;
  /** An Ed25519 signature (RFC 8032), hexadecimal. */
  sign(text: string): string;
};

/**
 * This installation's signing key. The first call creates it; it is stored sealed, and is sealed
 * again with the other secrets when the master key changes.
 */
export async function getSigningKey({ db, secretBox }: Pick<Deps, 'db' | 'secretBox'>): Promise<SigningKey> {
  const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const kept = JSON.parse(await setSettingOnce(db, secretBox, 'ledger-signing-key', JSON.stringify(made))) as string;
  const key = createPrivateKey({ key: Buffer.from(kept, 'base64'), format: 'der', type: 'pkcs8' });
  return {
    publicKey: rawPublicKey(key).toString('hex'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
  };
}

/** The raw key is at the end of its SubjectPublicKeyInfo (RFC 8410). */
const rawPublicKey = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_KEY_BYTES);

const PUBLIC_KEY_BYTES = 32;
