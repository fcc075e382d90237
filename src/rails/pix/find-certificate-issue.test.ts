import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { findCertificateIssue } from './find-certificate-issue.ts';
import { makeCertificates } from './testing/make-certificates.ts';
import { P12, p12 } from './testing/p12.ts';

const NOW = new Date();
const LONG_AFTER = new Date('2100-01-01');
const { client } = await makeCertificates();
const { privateKey: otherKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** A key of 16,384 bits, of random numbers: making a true one takes minutes. */
function largeKey(): string {
  const number = (bytes: number) => {
    const random = randomBytes(bytes);
    random[0] = 0xff;
    random[bytes - 1] = 0xff;
    return random.toString('base64url');
  };
  const [p, q, dp, dq, qi] = Array.from({ length: 5 }, () => number(1_024));
  const key = { kty: 'RSA', n: number(2_048), e: 'AQAB', d: number(2_048), p, q, dp, dq, qi } as JsonWebKey;
  return createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString();
}

test('a client certificate with its key has no issue', async () => {
  expect(await findCertificateIssue(client, NOW)).toBeNull();
  expect(await findCertificateIssue(p12(P12), NOW)).toBeNull();
});

test('a P12 file that would be opened for minutes is rejected, and holds up nobody', async () => {
  // Its last number is how often the passphrase is hashed: 2,048 times, or 2^31 - 1 times.
  const [outer, inner] = [P12.readUInt16BE(2) + 2, P12.lastIndexOf(Buffer.from('3041', 'hex'))];
  const hostile = Buffer.concat([P12.subarray(0, -4), Buffer.from('02047fffffff', 'hex')]);
  hostile.writeUInt16BE(outer, 2);
  hostile.writeUInt8(0x43, inner + 1);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  const issue = await findCertificateIssue(p12(hostile), NOW, 400);
  clearInterval(timer);
  expect(issue).toEqual({ field: 'pkcs12', issue: 'not_pkcs12' });
  expect(ticks).toBeGreaterThan(5);
});

test.each([
  ['that is none', { ...client, cert: 'PEM' }, NOW, { field: 'certificate', issue: 'not_certificate' }],
  ['whose key is none', { ...client, key: client.cert }, NOW, { field: 'private_key', issue: 'not_private_key' }],
  ['with another key', { ...client, key: otherKey }, NOW, { field: 'private_key', issue: 'not_key_of_certificate' }],
  ['whose key is too large', { ...client, key: largeKey() }, NOW, { field: 'private_key', issue: 'not_private_key' }],
  ['that has expired', client, LONG_AFTER, { field: 'certificate', issue: 'certificate_expired' }],
  ['in a P12 with another passphrase', p12(P12, 'x'), NOW, { field: 'pkcs12', issue: 'not_pkcs12' }],
  ['in a file that is no P12', { pfx: 'AAAA', passphrase: '' }, NOW, { field: 'pkcs12', issue: 'not_pkcs12' }],
])('a client certificate %s is rejected before a PSP is asked with it', async (_, tls, now, issue) => {
  expect(await findCertificateIssue(tls, now)).toEqual(issue);
});
