import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PixRail } from '../ports.ts';
import { type ApiPixRailOptions, createApiPixRail } from './api-pix-rail.ts';
import { makeCertificates, type TestCertificates } from './testing/make-certificates.ts';
import { type ScriptedPsp, startScriptedPsp } from './testing/scripted-psp.ts';

let certificates: TestCertificates;
let psp: ScriptedPsp;
let rails: PixRail[];

beforeAll(async () => {
  certificates = await makeCertificates();
});
beforeEach(async () => {
  rails = [];
  const { ca, server } = certificates;
  psp = await startScriptedPsp({ ...server, ca, requestCert: true, rejectUnauthorized: true });
});
afterEach(async () => {
  await psp.close();
  await Promise.all(rails.map((rail) => rail.close()));
});

function connect(tls?: ApiPixRailOptions['tls']) {
  const rail = createApiPixRail({
    name: 'psp',
    baseUrl: psp.baseUrl,
    clientId: 'shop',
    clientSecret: 'secret',
    pixKey: 'shop@example.com',
    ...(tls && { tls }),
    payouts: { baseUrl: psp.baseUrl, lostAfterMs: 1 },
    clock: () => new Date(),
  });
  rails.push(rail);
  return rail;
}

const ask = (tls?: ApiPixRailOptions['tls']) => connect(tls).findCharge('7978c0c97ea847e78e8849634473c1f1');

test('a client with a certificate of the PSP is served', async () => {
  expect(await ask({ ...certificates.client, ca: certificates.ca })).toEqual({ outcome: 'done', value: null });
  expect(psp.calls).toHaveLength(1);
});

test('payouts go out with the same certificate, and without one nowhere', async () => {
  const { ca, client } = certificates;
  const withoutOne = { ca } as ApiPixRailOptions['tls'];
  psp.answers = [
    { status: 404, body: { type: 'https://pix.bcb.gov.br/api/v2/error/PixEnviadoNaoEncontrado', status: 404 } },
  ];
  expect(await connect({ ...client, ca }).payouts?.findPayout('1')).toEqual({ outcome: 'done', value: null });
  expect(await connect(withoutOne).payouts?.findPayout('1')).toMatchObject({ outcome: 'unknown' });
  expect(psp.calls).toHaveLength(1);
});

test('a client without a certificate, or with another client’s, reaches nothing', async () => {
  const { ca, strangerClient } = certificates;
  const withoutOne = { ca } as ApiPixRailOptions['tls'];
  for (const tls of [withoutOne, { ...strangerClient, ca }]) {
    expect(await ask(tls)).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/^token: no usable answer/),
    });
  }
  expect([...psp.tokenCalls, ...psp.calls]).toEqual([]);
});

// ASVS 12.1.1
test('a PSP that speaks TLS 1.1 at most gets no request', async () => {
  await psp.close();
  const { ca, server, client } = certificates;
  // OpenSSL offers what is older only where its security level is the lowest.
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
  psp = await startScriptedPsp({ ...server, ca, ...old });
  expect(await ask({ ...client, ca })).toMatchObject({
    outcome: 'unknown',
    reason: expect.stringContaining('PROTOCOL_VERSION'),
  });
  expect([...psp.tokenCalls, ...psp.calls]).toEqual([]);
});

// ASVS 12.3.2
test('a PSP whose certificate is not trusted gets no request', async () => {
  expect(await ask({ ...certificates.client })).toMatchObject({
    outcome: 'unknown',
    reason: expect.stringMatching(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|SELF_SIGNED/),
  });
  expect([...psp.tokenCalls, ...psp.calls]).toEqual([]);
});
