import type { DecidedBy } from '#db/connection/ask-decision.ts';
import { findDispute } from '#db/disputes/disputes.ts';
import { noteAnswer } from '#db/disputes/disputes-at-psp.ts';
import { timeOfAccount } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';

/**
 * Notes that the operator has forwarded an answer to the PSP themselves, because its API has no
 * route for it or rejected it. `unknown`: there is no such case. `not_answered`: it has no answer
 * that waits.
 */
export async function noteForwardedAnswer(
  deps: Pick<Deps, 'db' | 'clock' | 'testClock'>,
  { id, by }: { id: string; by: DecidedBy },
): Promise<'forwarded' | 'unknown' | 'not_answered'> {
  const { pool } = deps.db;
  const dispute = await findDispute(pool, id, null);
  if (!dispute) return 'unknown';
  const now = await timeOfAccount(deps, dispute.accountId);
  const noted = await noteAnswer(pool, { id, rejection: null, by, now });
  return noted ? 'forwarded' : 'not_answered';
}
