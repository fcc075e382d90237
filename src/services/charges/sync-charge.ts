import { findCharge } from '#db/charges/charges.ts';
import { nextChargeCheck } from '#domain/charges/next-charge-check.ts';
import type { Deps } from '../deps.ts';
import { settleCharge } from './settle-charge.ts';

/**
 * Checks a pending charge whose callback may never come, and expires it at its end. Returns the
 * time of the next check, or null when there is none. Throws ProviderUnavailable when the PSP can't
 * say: a charge is never expired on a guess.
 */
export async function syncCharge(deps: Deps, id: string): Promise<Date | null> {
  await settleCharge(deps, id);
  const charge = await findCharge(deps.db.pool, id);
  if (charge?.status !== 'pending') return null;
  return nextChargeCheck(charge.createdAt, charge.expiresAt, deps.clock());
}
