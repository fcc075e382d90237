import type { Psp } from '#domain/providers/providers.ts';
import { type AskPspOptions, askPsp, NEEDED_ROUTES, type PspFinding } from '#rails/pix/ask-psp.ts';
import { findCertificateIssue } from '#rails/pix/find-certificate-issue.ts';
import { CAPABILITIES, type Fact, type PspProfile } from '#rails/pix/profiles/psp-profile.ts';
import { findPspProfile, PSP_PROFILES } from '#rails/pix/profiles/psp-profiles.ts';

export type PspCheck = {
  /** Null: there is no profile of this PSP. */
  profile: { name: string; notes: PspProfile['notes'] } | null;
  /** The documented address, where the one that was asked has another path. */
  otherAddress: Fact<string>;
  /** Why the client certificate can't be used; null: nothing was found, or there is none. */
  certificateIssue: NonNullable<Awaited<ReturnType<typeof findCertificateIssue>>>['issue'] | null;
  findings: (PspFinding & {
    /** What a public document says; null: none, or there is no profile. */
    documented: Fact<boolean>;
    /** Whether the answer contradicts the document. */
    differs: boolean;
    /** Whether Trilho needs it to take PIX. */
    isNeeded: boolean;
  })[];
  /** Whether Trilho can take PIX there. */
  isUsable: boolean;
};

/**
 * Asks a PSP what it can do and compares that with its profile: the one that is named, else that of
 * the PSP's host. Reads only.
 */
export async function checkPsp(options: Omit<AskPspOptions, 'profile'>, psp?: Psp): Promise<PspCheck> {
  const profile = psp ? PSP_PROFILES[psp] : findPspProfile(options.baseUrl);
  const findings = (await askPsp({ ...options, profile })).map((finding) => {
    const capability = CAPABILITIES.find((each) => each === (finding.name === 'cobr' ? 'rec' : finding.name));
    const documented = (capability && profile?.can[capability]) ?? null;
    const contradiction = documented?.value ? 'cannot' : 'can';
    return {
      ...finding,
      documented,
      differs: documented !== null && finding.answer === contradiction,
      isNeeded: NEEDED_ROUTES.some((needed) => needed === finding.name),
    };
  });
  return {
    profile: profile && { name: profile.name, notes: profile.notes },
    otherAddress: pathOf(profile?.baseUrl?.value) === pathOf(options.baseUrl) ? null : (profile?.baseUrl ?? null),
    certificateIssue: (options.tls && (await findCertificateIssue(options.tls, options.clock())))?.issue ?? null,
    findings,
    isUsable: findings.every(({ isNeeded, answer }) => !isNeeded || answer === 'can'),
  };
}

const pathOf = (address: string | undefined): string | null =>
  address === undefined ? null : new URL(address).pathname.replace(/\/+$/, '');
