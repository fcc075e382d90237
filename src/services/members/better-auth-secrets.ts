import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

const PURPOSE = 'better-auth';

/**
 * The secrets with which better-auth encrypts and signs, one for each master key that is present.
 * The first is the one for new data.
 */
export function betterAuthSecrets(box: SecretBox): { version: number; value: string }[] {
  const values = box.deriveAll(PURPOSE);
  return box.versions.map((version, at) => ({ version: Number(version.slice(1)), value: values[at] ?? '' }));
}

/**
 * Opens what better-auth encrypted (authenticator secrets, recovery codes): `$ba$<version>$<hex>`.
 * Throws when it was encrypted with none of the keys that are present.
 */
export async function openBetterAuth(box: SecretBox, sealed: string): Promise<string> {
  return symmetricDecrypt({ key: configOf(box), data: sealed });
}

/** Encrypts as better-auth does, with the newest key. */
export async function sealBetterAuth(box: SecretBox, text: string): Promise<string> {
  return symmetricEncrypt({ key: configOf(box), data: text });
}

function configOf(box: SecretBox) {
  const secrets = betterAuthSecrets(box);
  return {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion: secrets[0]?.version ?? 0,
  };
}
