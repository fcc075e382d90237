import { hasInbox } from '#db/unmatched/inbox.ts';
import type { Deps } from '../deps.ts';
import { type ForeignPayout, listAllForeignPayouts } from './decide-foreign-payout.ts';
import { listUnmatchedPayments, type UnmatchedPayment } from './decide-unmatched.ts';

/** What came or left over an account's own credentials without a charge or a request. */
export type Inbox = {
  received: { waiting: UnmatchedPayment[]; decided: UnmatchedPayment[] };
  sent: { waiting: ForeignPayout[]; decided: ForeignPayout[] };
};

/**
 * What waits for a decision, the oldest first, and what was decided, the newest first; each payment
 * and payout in one of the two, also while it is being decided.
 */
export async function getInbox(deps: Pick<Deps, 'db' | 'secretBox'>, accountId: string): Promise<Inbox> {
  // What waits is read first: nothing that was decided waits again, so that the second read finds
  // what is decided between the two.
  const [waiting, waitingSent] = await Promise.all([
    listUnmatchedPayments(deps, { waiting: true, accountId }),
    listAllForeignPayouts(deps, { waiting: true, accountId }),
  ]);
  const [all, allSent] = await Promise.all([
    listUnmatchedPayments(deps, { waiting: false, accountId }),
    listAllForeignPayouts(deps, { waiting: false, accountId }),
  ]);
  const decided = all.filter(({ state }) => state !== 'open' && state !== 'returning');
  const decidedSent = allSent.filter(({ state }) => state !== 'open');
  return {
    received: { waiting: without(waiting, decided), decided },
    sent: { waiting: without(waitingSent, decidedSent), decided: decidedSent },
  };
}

function without<T extends { id: string }>(waiting: T[], decided: T[]): T[] {
  const ids = new Set(decided.map(({ id }) => id));
  return waiting.filter(({ id }) => !ids.has(id));
}

/** Whether an account has, or had, anything in the inbox. */
export const hasAnyInbox = ({ db }: Pick<Deps, 'db'>, accountId: string): Promise<boolean> =>
  hasInbox(db.pool, accountId);
