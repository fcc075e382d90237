import { isConfirmed, takeConfirmation } from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Member } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/** How long a proof suffices. A withdrawal uses it up at once. */
const FRESH_MS = 5 * 60_000;

/** Fresh second factors for sensitive acts. */
export type Confirmations = {
  /**
   * Throws unless the member has proved a second factor (the password, where none is set up) in
   * this session within FRESH_MS; `withdrawal` uses the proof up, so that each one that sends money
   * needs its own. A member who is paused (rejectWhilePaused) is rejected, except for a `password`
   * of their own. Errors (DomainError): confirmation_required, withdrawals_paused.
   */
  require(member: Member, act: 'setting' | 'withdrawal' | 'password'): Promise<void>;
};

/**
 * Rejects a member who is paused, for a day after a new password by mail or the removal of their
 * second factor: an intruder in the mailbox can't move money or change what protects it. Errors
 * (DomainError): withdrawals_paused.
 */
export function rejectWhilePaused(member: Member, now: Date): void {
  const until = pausedUntil(member, now);
  if (until) throw new DomainError('withdrawals_paused', { params: { until: until.toISOString() } });
}

/**
 * Returns until when a member is paused; null: they are not. `now` is the service's own time
 * (ownTime): a pause is of a person, whom no test clock moves.
 */
export const pausedUntil = ({ withdrawalsBlockedUntil: until }: Member, now: Date): Date | null =>
  until && until > now ? until : null;

export const createConfirmations = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Confirmations => ({
  async require(member, act) {
    const now = clock();
    if (act !== 'password') rejectWhilePaused(member, now);
    const check = act === 'withdrawal' ? takeConfirmation : isConfirmed;
    if (await check(db, member.sessionId, new Date(now.getTime() - FRESH_MS))) return;
    const factor = member.hasSecondFactor ? 'second_factor' : 'password';
    throw new DomainError('confirmation_required', { params: { factor } });
  },
});
