import type { FieldFault } from './errors.ts';

/**
 * Errors of the panel only, with their HTTP status; those of both handlers are in errors.ts. The
 * texts are the panel's own, in each of its languages (messages, `errors.*`).
 */
export const PANEL_ERRORS = {
  /** Nobody is signed in, or no longer. */
  not_signed_in: 401,
  /** This act asks for a fresh second factor (or the password, where none is set up); ask for it and call again. */
  confirmation_required: 403,
  /** What was typed as second factor or password is wrong, or was used before. */
  confirmation_failed: 403,
  /** Too many wrong ones: wait. */
  too_many_attempts: 429,
  /** A new password or a second factor taken away: no money leaves for a day. */
  withdrawals_paused: 403,
  /** Too short, or one that is easy to guess; the param `why` says which (password.ts). */
  weak_password: 400,
  /** The link was used, withdrawn, is too old, or never was. */
  link_over: 400,
  /** The address signs in already. */
  already_member: 409,
  /** The address is that of a business: joining it takes an invitation. */
  merchant_exists: 409,
  /** As many invitations of this merchant are open as may be. */
  too_many_invitations: 409,
  not_found: 404,
  /** It is not in a state in which this can be done. */
  not_now: 409,
  invalid: 400,
} as const satisfies Record<string, number>;

export type PanelErrorCode = keyof typeof PANEL_ERRORS;

export class PanelError extends Error {
  readonly code: PanelErrorCode;
  readonly status: number;
  readonly details: FieldFault[] | undefined;
  /** Further params for the page, e.g. until when. */
  readonly params: Record<string, string> | undefined;

  constructor(code: PanelErrorCode, options: { details?: FieldFault[]; params?: Record<string, string> } = {}) {
    super(code);
    this.name = 'PanelError';
    this.code = code;
    this.status = PANEL_ERRORS[code];
    this.details = options.details;
    this.params = options.params;
  }
}
