import { X509Certificate } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { makeCertificates } from '#rails/pix/testing/make-certificates.ts';
import { pspCertificateEnd } from './psp-certificate-end.ts';

const DAY_MS = 24 * 60 * 60_000;

test('a start within thirty days of the end of the client certificate says so', async () => {
  const { client } = await makeCertificates();
  const endsAt = new X509Certificate(client.cert).validToDate;
  const psp = { baseUrl: 'https://psp.example', clientId: 'x', clientSecret: 'x', pixKey: 'x', tls: client };
  const warn = vi.fn();
  const log = { debug: warn, info: warn, warn, error: warn };
  const endAt = (daysBefore: number, cert = client.cert) =>
    pspCertificateEnd(
      { psp: { ...psp, tls: { ...client, cert } } },
      { clock: () => new Date(endsAt.getTime() - daysBefore * DAY_MS), log },
    );
  expect([endAt(31), warn.mock.calls]).toEqual([endsAt, []]);
  expect([endAt(29), warn.mock.calls[0]]).toEqual([endsAt, [{ endsAt }, expect.stringContaining('ends soon')]]);
  endAt(-1);
  expect(warn.mock.calls[1]).toEqual([{ endsAt }, expect.stringContaining('has ended')]);
  expect([endAt(29, 'no certificate'), pspCertificateEnd({ psp: null }, { clock: () => endsAt, log })]).toEqual([
    null,
    null,
  ]);
});
