/** Whom an account's own credentials are of; `other`: what the operator gave by its address. */
export type Provider = (typeof PROVIDERS)[number] | 'other';

/** Those that a member connects: PSPs with a profile, the crypto processor, and the sandbox. */
export const PSPS = ['efi', 'sicredi', 'inter', 'bb'] as const;
export const PROVIDERS = [...PSPS, 'plisio', 'sandbox'] as const;

/** What a provider made of a question about what it can do for these credentials. */
export const CHECK_ANSWERS = ['can', 'not_allowed', 'cannot', 'unclear', 'no_answer'] as const;
export type CheckAnswer = (typeof CHECK_ANSWERS)[number];

/** What is asked before credentials are used: taking PIX, sending it, and crypto. */
export const CHECKED_ROUTES = ['cob', 'refunds', 'webhook', 'list', 'payouts', 'operations'] as const;
export type CheckedRoute = (typeof CHECKED_ROUTES)[number];

export type CheckFinding = { route: CheckedRoute; answer: CheckAnswer };

/** The answer that matters most of several, for one word about credentials. */
export const worstAnswer = (findings: readonly CheckFinding[]): CheckAnswer =>
  [...CHECK_ANSWERS].reverse().find((answer) => findings.some((finding) => finding.answer === answer)) ?? 'no_answer';
