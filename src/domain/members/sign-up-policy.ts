/**
 * Who may open an account of this installation. `open`: anybody, by a sign-up. `invited`: the
 * operator, and merchants who may open accounts for others over REST; there are no sign-ups.
 * `closed`: the operator alone. Under each policy a merchant may invite people to their own
 * business.
 */
export const SIGN_UP_POLICIES = ['open', 'invited', 'closed'] as const;
export type SignUpPolicy = (typeof SIGN_UP_POLICIES)[number];

export const isSignUpPolicy = (text: string): text is SignUpPolicy =>
  (SIGN_UP_POLICIES as readonly string[]).includes(text);
