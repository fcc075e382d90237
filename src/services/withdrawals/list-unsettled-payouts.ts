import { type AccountOwner, findOwners, ownerOf } from '#db/accounts/find-owners.ts';
import { findProviderCalls, type ProviderCallRow } from '#db/callbacks/provider-calls.ts';
import { openBodies } from '#db/requests/logged-bodies.ts';
import { LEASE_MS } from '#db/tasks/tasks.ts';
import {
  listUnsettledPayouts as findUnsettledPayouts,
  type UnsettledPayout,
} from '#db/withdrawals/list-unsettled-payouts.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';

/**
 * How many calls are listed: the last ones show the current state. The page of the transaction has
 * all of them.
 */
const CALLS_MAX = 3;

export type ExplainedPayout = UnsettledPayout & {
  owner: AccountOwner;
  /**
   * When a payout that the provider still does not know counts as never received: then its money is
   * given back or, where the process that was to send it died, it is sent. Null when that is never
   * concluded.
   */
  lostAt: Date | null;
  /** The last calls about it, oldest first, masked. */
  calls: ProviderCallRow[];
};

/** Payouts whose outcome is unknown, oldest first, with what is known of each. */
export async function listUnsettledPayouts(deps: Deps): Promise<ExplainedPayout[]> {
  const payouts = await findUnsettled(deps);
  const owners = await findOwners(
    deps.db,
    payouts.map(({ accountId }) => accountId),
  );
  return Promise.all(
    payouts.map(async (payout) => {
      const calls = await findProviderCalls(deps.db.pool, payout.id, CALLS_MAX);
      return {
        ...payout,
        owner: ownerOf(owners, payout),
        lostAt: await lostAtOf(deps, payout),
        calls: calls.map((call) => openBodies(deps.secretBox, 'call', payout.id, call)),
      };
    }),
  );
}

/** How many there are, at most SHOWN_MAX. */
export const countUnsettledPayouts = async (deps: Pick<Deps, 'db' | 'clock'>): Promise<number> =>
  (await findUnsettled(deps)).length;

/** A payout that was begun within a task's lease is still in progress. */
const findUnsettled = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<UnsettledPayout[]> =>
  findUnsettledPayouts(db.pool, new Date(clock().getTime() - LEASE_MS), SHOWN_MAX);

async function lostAtOf(deps: Deps, { type, rail, step, sentAt }: UnsettledPayout): Promise<Date | null> {
  if (sentAt === null || (step !== 'sending' && step !== 'unknown')) return null;
  const afterMs =
    type === 'pix_out'
      ? (await deps.rails.pixNamed(rail))?.payouts?.lostAfterMs
      : (await deps.rails.cryptoNamed(rail))?.lostAfterMs;
  return afterMs === undefined ? null : new Date(sentAt.getTime() + afterMs);
}
