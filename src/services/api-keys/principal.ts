import type { AccountTerms } from '#db/accounts/account-terms.ts';
import type { SignedInMember } from '#db/members/members.ts';
import type { Permission } from '#domain/api-keys/permissions.ts';

/** Who acts: a system with an API key, or a person who has signed in to the panel. */
export type Actor = { kind: 'key'; keyId: string } | Member;

/** A signed-in person, and the session (browser) that they act through. */
export type Member = { kind: 'member' } & SignedInMember;

/** An authenticated caller: the account with its terms, who acts for it, and what they may do. */
export type Principal = AccountTerms & { actor: Actor; permissions: readonly Permission[] };

/** Where a request came from, for the audit. */
export type Origin = { ipAddress: string | null; userAgent: string | null };

/**
 * For which account something is done, by whom, and from where. `actor` is null where the
 * installation itself acts.
 */
export type Acting = Pick<AccountTerms, 'merchantId' | 'accountId'> & { actor: Actor | null; origin: Origin };

/** Acting, with the account's terms. */
export type ActingPrincipal = AccountTerms & Acting;

/** A member who acts in the panel, the account they act on, and from where. */
export type ActingMember = { accountId: string; mode: 'live' | 'test'; member: Member; origin: Origin };
