/**
 * The provider of an account's own credentials; `other`: one that the operator named by its
 * address.
 */
export type Provider = (typeof PROVIDERS)[number] | 'other';

/** The PSPs of which there is a profile, by the names that operators type. */
export const PSPS = ['efi', 'sicredi', 'inter', 'bb', 'itau', 'bradesco', 'santander', 'sicoob'] as const;
export type Psp = (typeof PSPS)[number];
/** The providers that a member can connect: PSPs, the crypto processor, and the sandbox. */
export const PROVIDERS = [...PSPS, 'plisio', 'sandbox'] as const;

/** A provider's answer to whether credentials allow an operation, from best to worst. */
export const CHECK_ANSWERS = ['can', 'not_allowed', 'cannot', 'unclear', 'no_answer'] as const;
export type CheckAnswer = (typeof CHECK_ANSWERS)[number];

/**
 * The operations that are checked before credentials are used: receiving PIX, sending it, and
 * crypto.
 */
export const CHECKED_ROUTES = ['cob', 'refunds', 'webhook', 'list', 'payouts', 'operations'] as const;
export type CheckedRoute = (typeof CHECKED_ROUTES)[number];

export type CheckFinding = { route: CheckedRoute; answer: CheckAnswer };

/**
 * Returns the worst of several answers, to sum credentials up; `no_answer` where there are none.
 */
export const worstAnswer = (findings: readonly CheckFinding[]): CheckAnswer =>
  [...CHECK_ANSWERS].reverse().find((answer) => findings.some((finding) => finding.answer === answer)) ?? 'no_answer';
