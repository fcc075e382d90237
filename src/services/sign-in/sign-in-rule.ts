import type { AuthContext } from 'better-auth';
import type { AuthRequest } from './auth-request.ts';

/** The body that better-auth was sent, and parts of its context. */
export type AuthCall = {
  body: Record<string, unknown>;
  internals: Pick<AuthContext, 'internalAdapter' | 'newSession'>;
  /** Sets the cookie that shows that this browser has signed in to this login. */
  rememberDevice: (login: string) => void;
};

/**
 * What is checked and done around one of better-auth's endpoints. Both functions reject by throwing
 * a DomainError: then nothing of better-auth's response is sent, not even its cookies.
 */
export type SignInRule = {
  /** Before better-auth handles it. */
  before?: (request: AuthRequest, call: AuthCall) => Promise<void>;
  /** After better-auth has handled it; a result replaces `done` in the response. */
  after?: (request: AuthRequest, call: AuthCall, done: unknown) => Promise<unknown>;
};
