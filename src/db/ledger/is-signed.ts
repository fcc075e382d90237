import { verify } from 'node:crypto';

/** Whether a text has this Ed25519 signature of this key, both hexadecimal. */
export const isSigned = (text: string, { publicKey, signature }: { publicKey: string; signature: string }): boolean =>
  verify(null, Buffer.from(text), { key: jwkOf(publicKey), format: 'jwk' }, Buffer.from(signature, 'hex'));

/** RFC 8037. */
const jwkOf = (publicKey: string) => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: Buffer.from(publicKey, 'hex').toString('base64url'),
});
