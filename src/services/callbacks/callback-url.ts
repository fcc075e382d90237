import { isEqualText } from '#domain/encryption/is-equal-bytes.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

/**
 * The URL to give to a rail's PSP, which appends `/pix`. API Pix signs nothing, so the path itself
 * is the secret.
 */
export const pixCallbackUrl = (publicUrl: string, box: SecretBox, rail: string): string =>
  `${publicUrl}/inbound/pix/${rail}/${callbackToken(box, rail)}`;

/** The URL to give to a crypto processor with each invoice. */
export const cryptoCallbackUrl = (publicUrl: string, box: SecretBox, rail: string): string =>
  `${publicUrl}/inbound/crypto/${rail}/${callbackToken(box, rail)}`;

const callbackToken = (box: SecretBox, rail: string) => box.derive(purposeOf(rail));
const purposeOf = (rail: string) => `inbound-pix:${rail}`;

/**
 * Whether a token is that of a rail's callback URL, or of one that a provider was given under an
 * older master key, for as long as that key is present.
 */
export const isCallbackToken = (box: SecretBox, rail: string, token: string) =>
  box.deriveAll(purposeOf(rail)).some((right) => isEqualText(token, right));
