import type { AccountTerms } from '#db/account-terms.ts';
import type { Permission } from '#domain/permissions.ts';

/** Who acts: a system with an API key, or a person who has signed in to the panel. */
export type Actor = { kind: 'key'; keyId: string } | Member;

/** A signed-in person, and the session (browser) that he acts through. */
export type Member = {
  kind: 'member';
  memberId: string;
  merchantId: string;
  sessionId: string;
  name: string;
  email: string;
  /** Whether a second factor is set up: an authenticator app or a passkey. */
  hasSecondFactor: boolean;
  withdrawalsBlockedUntil: Date | null;
  /** pt-BR or en; null: as the browser asks. */
  language: string | null;
  /** light or dark; null: as the system is. */
  theme: string | null;
};

/** What both doors make of a caller: the account, who acts for it, and what he may do. */
export type Principal = AccountTerms & { actor: Actor; permissions: readonly Permission[] };

/** Where a request came from, for the audit. */
export type Origin = { ipAddress: string | null; userAgent: string | null };
