import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { findCertificateIssue } from './find-certificate-issue.ts';
import { makeCertificates } from './testing/make-certificates.ts';

const NOW = new Date();
const LONG_AFTER = new Date('2100-01-01');
const { client } = await makeCertificates();
const { privateKey: otherKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** A certificate and its key, made by OpenSSL 3 with the passphrase `senha`. */
const P12 = Buffer.from(
  'MIIEDAIBAzCCA8IGCSqGSIb3DQEHAaCCA7MEggOvMIIDqzCCAmIGCSqGSIb3DQEHBqCCAlMwggJPAgEAMIICSAYJKoZIhvcN' +
    'AQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiUpXptjK5IowICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQME' +
    'ASoEECH43+wu57umYZvSju2bpsWAggHgWG7ipcrdB1CFw+rJobbblwCU2ZdKpjoAo02GyHE7yrxwOa7Kh4YFlre9Zj6Zr/bA' +
    'y+M1t518IbAAA8UHtMIw0oWiiyh/MRjwvbHlNspxLnxYSQffqo+p1qJ5CBt/7nmfCknnpK/kVdOADIxc2Ck+Z+4UnLC1wXsc' +
    'Btnrq55GQV8PtjKqI2c/lq03JrGl1F1lCisFTenePVYZndbyodXLl+VunpnNjrpyxoBiugcJ97uHVEM545EPpMmrN29BDBS6' +
    'CwjeUnj7Ax7MCnHKRQQh8n6e6hxAMGDAbp3+GCMO1LnBsuAp76FWM7WLAEresdMkXejp6SDhjEeDUWRgFq3vs3MCjgYKu74C' +
    'AQUv8YpD2/QzIhh1l7vYz0URxmKhxguE5w8qhJzF74MEgJts75rcD+ndF8rKhIs2ptcHw0voz8T0/GBoDhTVrZouXee7r9Rm' +
    'AGFG4LOoyz4JjYKLA7pKyBE6qSwnXDhtcFvcoFkRGSNChUB4IIDVJUmOk7C36lyDop0y9KgUEGcoPjFGRwVUvuwHPD9pcTUG' +
    'OGAzKHUSk+I/3w2RBMNNcdsWbhmWq8M4ZCnHVSY6ibrtUV+UIlZg9Wq5EqlwX31IslLUojQ0VDHuKq5r4kJ6LDpQUF1JdlJg' +
    'MIIBQQYJKoZIhvcNAQcBoIIBMgSCAS4wggEqMIIBJgYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZI' +
    'hvcNAQUMMBwECPr1+qQ5fAbuAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQKeM/pZp7UTtQOJe91gyIiQSBkF78' +
    'fzCFTVlI2+QvBZd3RrAk0AZRzib5aIRw8KBviUPyIEPXDopFS9v0CWxwouIoOgq0xVOCNS2G4yBma/nIOEpRAB9Fbxri/zQo' +
    'jMIsRyQ6mlOoGwxzHFhW3L9F2tb1BrqDbDnrhzUbueSC9MeIh+sY8sIlnp2Wmel1RyTTUV3Qe39XrpxkJJR+4QG1oZ0fXzEl' +
    'MCMGCSqGSIb3DQEJFTEWBBQIROR2IU09ZP3KIDymVXXtOUW78jBBMDEwDQYJYIZIAWUDBAIBBQAEIPwUsLap2exuUjLWFzVM' +
    'NCgdkcofIg3tWjVgXnoec3kpBAj08fjRtY90dAICCAA=',
  'base64',
);
const p12 = (file: Buffer, passphrase = 'senha') => ({ pfx: file.toString('base64'), passphrase });

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
