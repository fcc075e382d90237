import { generate } from 'selfsigned';

type KeyPair = { cert: string; key: string };

/**
 * The certificates of a PSP, created for each test: its authority, its server on 127.0.0.1, and one
 * client.
 */
export type TestCertificates = { ca: string; server: KeyPair; client: KeyPair; strangerClient: KeyPair };

/**
 * Creates the certificates. `strangerClient` has the same name, signed by an authority that the PSP
 * does not know.
 */
export async function makeCertificates(): Promise<TestCertificates> {
  const authority = await makeAuthority();
  return {
    ca: authority.cert,
    server: await sign(authority, 'psp'),
    client: await sign(authority, 'trilho'),
    strangerClient: await sign(await makeAuthority(), 'trilho'),
  };
}

const EC = { keyType: 'ec', algorithm: 'sha256' } as const;
const named = (name: string) => [{ name: 'commonName', value: name }];

async function makeAuthority(): Promise<KeyPair> {
  const made = await generate(named('Test authority'), {
    ...EC,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
  return { cert: made.cert, key: made.private };
}

async function sign(ca: KeyPair, name: string): Promise<KeyPair> {
  const made = await generate(named(name), {
    ...EC,
    ca,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  return { cert: made.cert, key: made.private };
}
