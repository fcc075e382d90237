import { createHash, generateKeyPairSync, sign } from 'node:crypto';

/** COSE's CBOR of a P-256 key, before and between its coordinates (RFC 9053 section 7.1.1). */
const COSE_X = Buffer.from('a5010203262001215820', 'hex');
const COSE_Y = Buffer.from('225820', 'hex');
/** The user is present, and was verified (WebAuthn section 6.1). */
const FLAGS = 0x05;

/** A passkey of an authenticator that counts nothing, for the pages of an origin. */
export function createPasskey(origin: string, id: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = Buffer.concat([COSE_X, Buffer.from(x, 'base64url'), COSE_Y, Buffer.from(y, 'base64url')]);
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
  const authenticatorData = Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([FLAGS]), Buffer.alloc(4)]);
  return {
    publicKey: cose.toString('base64'),
    /** What a browser sends to sign in with it. */
    answer(challenge: unknown) {
      const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      const response = { clientDataJSON: clientData, authenticatorData, signature };
      const texts = Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]);
      return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: Object.fromEntries(texts) };
    },
  };
}
