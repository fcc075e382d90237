import type { Member } from '../api-keys/principal.ts';

/** Fresh second factors for sensitive acts. */
export type Confirmations = {
  /**
   * Passes when the member has proved a second factor (the password, where none is set up) in this session within the last minutes;
   * `withdrawal` uses the proof up, so that whatever sends money has its own. Nobody passes who is paused (refuseWhilePaused), but
   * for a `password` of their own. Errors
   * (DomainError): confirmation_required, withdrawals_paused.
   */
  require(member: Member, act: 'setting' | 'withdrawal' | 'password'): Promise<void>;
};
