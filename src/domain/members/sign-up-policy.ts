/**
 * Who may open an account of this installation. `open`: anybody, with a sign-up. `invited`: no
 * sign-ups; the operator, and merchants who may open accounts for others over REST. `closed`: the
 * operator alone. Whoever is a merchant already invites people to their own business all the same.
 */
export const SIGN_UP_POLICIES = ['open', 'invited', 'closed'] as const;
export type SignUpPolicy = (typeof SIGN_UP_POLICIES)[number];

export const isSignUpPolicy = (text: string): text is SignUpPolicy =>
  (SIGN_UP_POLICIES as readonly string[]).includes(text);
