import type { DecidedBy } from '#db/connection/ask-decision.ts';
import { findDispute } from '#db/disputes/disputes.ts';
import { noteAnswer } from '#db/disputes/disputes-at-psp.ts';
import type { Deps } from '../deps.ts';

/**
 * Notes that the operator has forwarded an answer to the PSP themselves, because its API has no
 * route for it or rejected it. `unknown`: there is no such case. `not_answered`: it has no answer
 * that waits.
 */
export async function noteForwardedAnswer(
  deps: Pick<Deps, 'db' | 'clock'>,
  { id, by }: { id: string; by: DecidedBy },
): Promise<'forwarded' | 'unknown' | 'not_answered'> {
  const { pool } = deps.db;
  if (!(await findDispute(pool, id, null))) return 'unknown';
  const noted = await noteAnswer(pool, { id, rejection: null, by, now: deps.clock() });
  return noted ? 'forwarded' : 'not_answered';
}
