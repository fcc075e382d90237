import type { DecidedBy } from '#db/connection/ask-decision.ts';
import {
  type ForeignPayoutDecision,
  type ForeignPayoutRow,
  listForeignPayouts,
  writeOffForeignPayout,
} from '#db/unmatched/foreign-payouts.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';

/** Money that left without a request: what waits for a decision, or all of it. */
export const listAllForeignPayouts = (
  { db }: Pick<Deps, 'db'>,
  { waiting }: { waiting: boolean },
): Promise<ForeignPayoutRow[]> => listForeignPayouts(db.pool, { waiting, limit: SHOWN_MAX });

/**
 * The platform takes the loss of money that left without a request: no account's balance changes.
 */
export const writeOffPayout = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  decision: { id: string; reason: string; by: DecidedBy },
): Promise<ForeignPayoutDecision> => writeOffForeignPayout(db.pool, { ...decision, now: clock() });
