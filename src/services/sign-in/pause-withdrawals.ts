import { blockWithdrawals } from '#db/members/members.ts';
import type { Deps } from '../deps.ts';

/** Long enough for the member to notice the message about what was changed. */
const WITHDRAWAL_PAUSE_MS = 24 * 3_600_000;

/**
 * Pauses a member's withdrawals for a day, after a new password by e-mail or the removal of a
 * second factor: until then they and the API keys that they made send no money.
 */
export const pauseWithdrawals = (deps: Deps, memberId: string): Promise<void> =>
  blockWithdrawals(deps.db, memberId, endOfPause(deps.clock()));

/** When such a pause ends that begins now. */
export const endOfPause = (now: Date): Date => new Date(now.getTime() + WITHDRAWAL_PAUSE_MS);
