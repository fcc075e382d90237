import { X509Certificate } from 'node:crypto';
import type { Environment } from '#config/environment.ts';
import { attempt } from '#rails/attempt.ts';
import type { Deps } from '#services/deps.ts';

/** Some PSPs take two weeks to hand out another one. */
const SOON_MS = 30 * 24 * 60 * 60_000;

/**
 * When the client certificate ends that the installation shows its PSP, and a line in the log where
 * that is soon, or was. Null without a PSP, and for a file that is no certificate, which the first
 * call says.
 */
export function pspCertificateEnd(
  { psp }: Pick<Environment, 'psp'>,
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
): Date | null {
  const endsAt = psp && (attempt(() => new X509Certificate(psp.tls.cert))?.validToDate ?? null);
  const leftMs = endsAt && endsAt.getTime() - clock().getTime();
  if (leftMs !== null && leftMs < SOON_MS)
    log.warn(
      { endsAt },
      `The client certificate for the PSP ${leftMs < 0 ? 'has ended' : 'ends soon'}: get another one.`,
    );
  return endsAt;
}
