import { AsyncLocalStorage } from 'node:async_hooks';
import type { Member, Origin } from '../api-keys/principal.ts';

/** Whose sign-in or setting a request is about, as far as it came. */
export type About = { memberId: string } | { email: string } | { credentialId: string };

/** A request at the sign-in as its rules see it; what it carries is better-auth's to read. */
export type AuthRequest = {
  /** Below /api/auth; also where our own part of it comes first (the links of messages). */
  path: string;
  origin: Origin;
  /** The member of the request's session; null: none, or it does not matter. */
  member: Member | null;
  sessionToken: string | null;
  /** Of the sign-in that waits for its second factor in this browser. */
  pendingToken: string | null;
  deviceCookie: string | null;
  /** A passkey is used to confirm a sensitive act, not to sign in. */
  isConfirmation: boolean;

  /** Set by the rules, for the audit of what failed. */
  about: About | null;
  /** Set by the rule that counted a guess, until the guess is over: takes the count back. */
  takeBack: (() => Promise<void>) | null;
  /** It proves something in a session that is there: none begins. */
  isInSession: boolean;
  /** The passkey confirmed the act in the session that asked for it. */
  isConfirmed: boolean;
};

const requests = new AsyncLocalStorage<AuthRequest>();

/** Asks better-auth for a request: its hooks find the request by `currentAuthRequest`. */
export const withAuthRequest = <T>(request: AuthRequest, ask: () => Promise<T>): Promise<T> =>
  requests.run(request, ask);

/** The request that better-auth works for; undefined where a use case calls it directly. */
export const currentAuthRequest = (): AuthRequest | undefined => requests.getStore();
