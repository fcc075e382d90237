import { parseEmail } from '#domain/values/contact.ts';

type Body = Record<string, unknown>;

/** One of the endpoints that browsers reach below AUTH_PREFIX. */
export type AuthEndpoint = {
  method: 'GET' | 'POST';
  /** Whether the member of the request's session is looked up. */
  asksMember?: true;
  /** Whether better-auth reads the query. */
  takesQuery?: true;
  /**
   * How long its answer takes at least, in milliseconds: where what it does depends on something
   * that its caller must not learn.
   */
  takesAtLeastMs?: number;
  /** Whether it uses the link of a message: such an endpoint is ours, not one of better-auth. */
  isLink?: true;
  /**
   * Returns what better-auth is sent of the typed body; null when the e-mail address is not valid.
   * Without it the whole body is sent.
   */
  read?: (typed: Body) => Body | null;
};

/** Returns `rest` with the typed e-mail address as it is stored; null when it is not valid. */
const withEmail = (typed: Body, rest: Body): Body | null => {
  const email = parseEmail(String(typed.email ?? ''));
  return email === null ? null : { ...rest, email };
};
const codeOnly = ({ code }: Body): Body => ({ code: String(code ?? '') });
const setting = { method: 'POST', asksMember: true, takesQuery: true } as const;

/**
 * For a known address a token and a message are written, which takes some milliseconds; an unknown
 * address is answered as late. Nobody notices a tenth of a second here.
 */
const RESET_MS = 100;

/** better-auth's endpoints that browsers reach, and our own. Its other ones are not reachable. */
export const AUTH_ENDPOINTS: Readonly<Record<string, AuthEndpoint>> = {
  '/sign-in/email': { method: 'POST', read: (typed) => withEmail(typed, typed) },
  '/sign-out': { method: 'POST', takesQuery: true },
  '/sign-up/complete': { method: 'POST', isLink: true },
  '/invitation/accept': { method: 'POST', isLink: true },
  '/request-password-reset': { method: 'POST', read: (typed) => withEmail(typed, {}), takesAtLeastMs: RESET_MS },
  '/reset-password': {
    method: 'POST',
    read: ({ token, newPassword }) => ({ token: String(token ?? ''), newPassword: String(newPassword ?? '') }),
  },
  '/two-factor/verify-totp': { method: 'POST', asksMember: true, read: codeOnly },
  '/two-factor/verify-backup-code': { method: 'POST', asksMember: true, read: codeOnly },
  '/two-factor/enable': setting,
  '/two-factor/disable': setting,
  '/two-factor/generate-backup-codes': setting,
  // A new password ends every other session: an intruder with the old one may have one of them.
  '/change-password': { ...setting, read: (typed) => ({ ...typed, revokeOtherSessions: true }) },
  '/passkey/generate-register-options': { ...setting, method: 'GET' },
  '/passkey/verify-registration': setting,
  '/passkey/delete-passkey': setting,
  '/passkey/generate-authenticate-options': { method: 'GET', takesQuery: true },
  '/passkey/verify-authentication': { method: 'POST', asksMember: true },
};

/**
 * The paths of what is served below AUTH_PREFIX, for the tests that try every one of them.
 * @internal
 */
export const AUTH_PATHS: readonly string[] = Object.keys(AUTH_ENDPOINTS);

export const AUTH_PREFIX = '/api/auth/';
