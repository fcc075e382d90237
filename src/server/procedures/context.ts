import type { Language } from '#domain/values/language.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import type { Deps } from '#services/deps.ts';
import type { inviteMember } from '#services/members/invite-member.ts';
import type { SignUpInput } from '#services/members/sign-up.ts';
import type { Proof } from '#services/sign-in/confirm-member.ts';
import type { Confirmations } from '#services/sign-in/confirmations.ts';

/**
 * What a procedure knows of its caller. Both handlers make one: REST's from `x-api-key`, the
 * panel's from the session. The tenant comes from here, never from input; a procedure can't tell
 * which handler called it.
 */
export type Context = {
  deps: Deps;
  /** Null without a session: only public procedures run then. */
  principal: Principal | null;
  /**
   * The id of what this request creates: its own, or that of the first try when it is repeated
   * under one Idempotency-Key.
   */
  subjectId: string;
  /**
   * Where the request has an Idempotency-Key: whether an attempt before this one began it, and may
   * have done it before it died.
   */
  resumed?: boolean | undefined;
  /** Where a request to the REST API came from. */
  origin?: Origin | undefined;
  /** Set by the panel's handler only. */
  panel: PanelContext | null;
};

export type PanelContext = {
  /** Null without a session. */
  member: Member | null;
  origin: Origin;
  /** What bounds count this call for: a known session, or an address. */
  visitor: string;
  /** Of the page that asks: the member's choice, else their browser's. */
  language: Language;
  confirmations: Confirmations;
  auth: PanelAuth;
  /**
   * Whether the session is still valid and may still see this account: streams, which outlive the
   * check at their start, call it.
   */
  stillSignedIn: () => Promise<boolean>;
};

/** What procedures may ask of the sign-in. */
export type PanelAuth = {
  /** Errors (DomainError): confirmation_failed, too_many_attempts. */
  prove(member: Member, proof: Proof): Promise<void>;
  /** The address of who gets a new password by this link. Errors (DomainError): link_over. */
  readResetLink(token: string): Promise<string>;
  /** Errors: rate_limited. */
  signUp(input: SignUpInput): Promise<void>;
  /** Errors: rate_limited, already_member, too_many_invitations. */
  invite(input: Parameters<typeof inviteMember>[1]): Promise<void>;
};
