import type { AuthContext } from 'better-auth';
import type { AuthRequest } from './auth-request.ts';

/** What better-auth was sent, and itself. */
export type AuthCall = {
  body: Record<string, unknown>;
  internals: Pick<AuthContext, 'internalAdapter'>;
  /** Gives the browser that asks the cookie that says that it has signed in to this login. */
  rememberDevice: (login: string) => void;
};

/**
 * What is asked and done around one of better-auth's endpoints. Both reject by throwing a
 * DomainError: then nothing of what better-auth answered goes out, its cookies neither.
 */
export type SignInRule = {
  /** Before better-auth handles it. */
  before?: (request: AuthRequest, call: AuthCall) => Promise<void>;
  /** After better-auth did it; what it gives, if anything, is answered in place of `done`. */
  after?: (request: AuthRequest, call: AuthCall, done: unknown) => Promise<unknown>;
};
