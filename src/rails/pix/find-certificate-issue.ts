import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { IssueCode } from '#domain/errors/issues.ts';
import type { ApiPixClientOptions } from './api-pix-client.ts';

/**
 * Returns why a client certificate can't be used, without asking a PSP; `null`: no issue was found.
 */
export function findCertificateIssue(
  tls: NonNullable<ApiPixClientOptions['tls']>,
  now: Date,
): { field: 'certificate' | 'private_key' | 'pkcs12'; issue: CertificateIssue } | null {
  if ('pfx' in tls) {
    const { pfx, passphrase = '' } = tls;
    const opens = attempt(() => createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase }));
    return opens ? null : { field: 'pkcs12', issue: 'not_pkcs12' };
  }
  const certificate = attempt(() => new X509Certificate(tls.cert));
  if (!certificate) return { field: 'certificate', issue: 'not_certificate' };
  const key = attempt(() => createPrivateKey(tls.key));
  if (!key) return { field: 'private_key', issue: 'not_private_key' };
  if (!certificate.checkPrivateKey(key)) return { field: 'private_key', issue: 'not_key_of_certificate' };
  return certificate.validToDate < now ? { field: 'certificate', issue: 'certificate_expired' } : null;
}

type CertificateIssue = Extract<
  IssueCode,
  'not_certificate' | 'not_private_key' | 'not_key_of_certificate' | 'certificate_expired' | 'not_pkcs12'
>;

/** Errors are dropped, because the libraries' texts may quote what was given. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
