import { hasInbox } from '#db/unmatched/inbox.ts';
import type { Deps } from '../deps.ts';
import { type ForeignPayout, listAllForeignPayouts } from './decide-foreign-payout.ts';
import { listUnmatchedPayments, type UnmatchedPayment } from './decide-unmatched.ts';

/** What came or left over an account's own credentials without a charge or a request. */
export type Inbox = {
  received: { waiting: UnmatchedPayment[]; decided: UnmatchedPayment[] };
  sent: { waiting: ForeignPayout[]; decided: ForeignPayout[] };
};

/** What waits for a decision, the oldest first, and what was decided, the newest first. */
export async function getInbox(deps: Pick<Deps, 'db' | 'secretBox'>, accountId: string): Promise<Inbox> {
  const [waiting, all, waitingSent, allSent] = await Promise.all([
    listUnmatchedPayments(deps, { waiting: true, accountId }),
    listUnmatchedPayments(deps, { waiting: false, accountId }),
    listAllForeignPayouts(deps, { waiting: true, accountId }),
    listAllForeignPayouts(deps, { waiting: false, accountId }),
  ]);
  return {
    received: { waiting, decided: all.filter(({ state }) => state !== 'open' && state !== 'returning') },
    sent: { waiting: waitingSent, decided: allSent.filter(({ state }) => state !== 'open') },
  };
}

/** Whether an account has, or had, anything in the inbox. */
export const hasAnyInbox = ({ db }: Pick<Deps, 'db'>, accountId: string): Promise<boolean> =>
  hasInbox(db.pool, accountId);
