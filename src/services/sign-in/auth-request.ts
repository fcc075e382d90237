import { AsyncLocalStorage } from 'node:async_hooks';
import type { Member, Origin } from '../api-keys/principal.ts';

/** Whose sign-in or setting a request is about, as far as it is known. */
export type About = { memberId: string } | { email: string } | { credentialId: string };

/** A request to the sign-in as its rules see it; better-auth reads its body. */
export type AuthRequest = {
  /**
   * The path below /api/auth, also where our own part of the endpoint runs first (the links of
   * messages).
   */
  path: string;
  origin: Origin;
  /** The member of the request's session; null: none, or it does not matter. */
  member: Member | null;
  /** Identifies the sign-in that waits for its second factor in this browser; null: none. */
  pendingToken: string | null;
  deviceCookie: string | null;
  /** A passkey is used to confirm a sensitive act, not to sign in. */
  isConfirmation: boolean;

  /** Set by the rules, for the audit of what failed. */
  about: About | null;
  /** Set by the rule that counted a guess, until the guess is over: takes the count back. */
  takeBack: (() => Promise<void>) | null;
  /** The request proves a factor within a session: no session begins. */
  isInSession: boolean;
  /** The hash of the password that is being replaced, once the rule has read it. */
  provedHash: string | null;
  /**
   * The authenticator's secret that better-auth has read last, and checks the code against; as it
   * encrypts it.
   */
  totpSecret: string | null;
  /** The passkey confirmed the act in the session that asked for it. */
  isConfirmed: boolean;
  /** What is answered in place of better-auth's answer, which hides it; null: nothing failed. */
  failure: unknown;
};

const requests = new AsyncLocalStorage<AuthRequest>();

/** Runs `ask` so that the hooks of better-auth find the request by `currentAuthRequest`. */
export const withAuthRequest = <T>(request: AuthRequest, ask: () => Promise<T>): Promise<T> =>
  requests.run(request, ask);

/** The request that better-auth is handling; undefined where a use case calls it directly. */
export const currentAuthRequest = (): AuthRequest | undefined => requests.getStore();
