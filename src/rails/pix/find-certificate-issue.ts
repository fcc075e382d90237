import { execFile } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { IssueCode } from '#domain/errors/issues.ts';
import { attempt } from '../attempt.ts';
import type { ApiPixClientOptions } from './api-pix-client.ts';

/** A process starts within a tenth of a second, and a usual file opens within milliseconds. */
const OPENED_MS = 5_000;
/**
 * A file says itself how often its passphrase is hashed, up to hours of work. The most cautious
 * programs write files that take a fifth of a second.
 */
const OPENED_CPU_MS_MAX = 500;

/** Signing with a larger key takes most of a second a connection. PSPs issue no such keys. */
const MODULUS_BITS_MAX = 8_192;

/**
 * Returns why a client certificate can't be used, without asking a PSP; `null`: no issue was found.
 */
export async function findCertificateIssue(
  tls: NonNullable<ApiPixClientOptions['tls']>,
  now: Date,
  openedMs = OPENED_MS,
): Promise<{ field: 'certificate' | 'private_key' | 'pkcs12'; issue: CertificateIssue } | null> {
  if ('pfx' in tls) {
    return (await isOpenedSoon(tls, openedMs)) ? null : { field: 'pkcs12', issue: 'not_pkcs12' };
  }
  const certificate = attempt(() => new X509Certificate(tls.cert));
  if (!certificate) return { field: 'certificate', issue: 'not_certificate' };
  const key = attempt(() => createPrivateKey(tls.key));
  if (!key || (key.asymmetricKeyDetails?.modulusLength ?? 0) > MODULUS_BITS_MAX)
    return { field: 'private_key', issue: 'not_private_key' };
  if (!certificate.checkPrivateKey(key)) return { field: 'private_key', issue: 'not_key_of_certificate' };
  return certificate.validToDate < now ? { field: 'certificate', issue: 'certificate_expired' } : null;
}

/** Exits with 0 when the file of its input opened in time. */
const OPENER = `
  const { X509Certificate } = require('node:crypto');
  const { createSecureContext } = require('node:tls');
  const { pfx, passphrase = '' } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  const before = process.cpuUsage();
  const { context } = createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase });
  const { user, system } = process.cpuUsage(before);
  const certificate = context.getCertificate?.();
  const details = certificate && new X509Certificate(certificate).publicKey.asymmetricKeyDetails;
  const isLarge = (details?.modulusLength ?? 0) > ${MODULUS_BITS_MAX};
  process.exitCode = isLarge || user + system > ${OPENED_CPU_MS_MAX * 1000} ? 1 : 0;
`;

/**
 * Whether a PKCS #12 file opens with its passphrase, and soon enough to be opened by the service
 * itself. In a process of its own, which can be ended: nothing ends the work of the library, and
 * this process would serve nobody until it is done.
 */
function isOpenedSoon(file: { pfx: string; passphrase?: string }, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL', windowsHide: true } as const;
    const child = execFile(process.execPath, ['--input-type=commonjs', '-e', OPENER], options, (error) =>
      resolve(error === null),
    );
    // It may have ended before it read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(file));
  });
}

type CertificateIssue = Extract<
  IssueCode,
  'not_certificate' | 'not_private_key' | 'not_key_of_certificate' | 'certificate_expired' | 'not_pkcs12'
>;
