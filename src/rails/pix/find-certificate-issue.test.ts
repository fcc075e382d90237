import { generateKeyPairSync } from 'node:crypto';
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

test('a client certificate with its key has no issue', () => {
  expect(findCertificateIssue(client, NOW)).toBeNull();
});

test.each([
  ['that is none', { ...client, cert: 'PEM' }, NOW, { field: 'certificate', issue: 'not_certificate' }],
  ['whose key is none', { ...client, key: client.cert }, NOW, { field: 'private_key', issue: 'not_private_key' }],
  ['with another key', { ...client, key: otherKey }, NOW, { field: 'private_key', issue: 'not_key_of_certificate' }],
  ['that has expired', client, LONG_AFTER, { field: 'certificate', issue: 'certificate_expired' }],
  ['in a file that is no P12', { pfx: 'AAAA', passphrase: '' }, NOW, { field: 'pkcs12', issue: 'not_pkcs12' }],
])('a client certificate %s is rejected before a PSP is asked with it', (_, tls, now, issue) => {
  expect(findCertificateIssue(tls, now)).toEqual(issue);
});
