import { findCredentialOwner } from '#db/accounts/accounts.ts';
import { planDays, planRail } from '#db/reconciliation/run-reconciliation.ts';
import { findFirstSweep } from '#db/sweeps/sweeps.ts';
import { CHECKED_AFTER_MS, DAY_MS, OLDEST_DAYS } from '#domain/reconciliation/reconciliation-plan.ts';
import { SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { dateInSaoPaulo, dayStart } from '#domain/values/business-day.ts';
import { ownCredentialId } from '#rails/registry.ts';
import type { Deps } from '../deps.ts';

/**
 * Has each day of every PIX rail compared with the ledger once it is over. Safe to call any number
 * of times, by any number of processes; to be called again after a day has ended, or credentials
 * may have been added. A rail is planned from its first sweep on.
 */
export async function planReconciliation(deps: Deps): Promise<void> {
  const now = deps.clock();
  const { pool } = deps.db;
  for (const { name } of await deps.rails.pixRails()) {
    const firstSweep = await findFirstSweep(pool, name);
    if (!firstSweep) continue;
    const credentialId = ownCredentialId(name);
    await planRail(pool, {
      rail: name,
      accountId: credentialId === null ? null : await findCredentialOwner(deps.db, credentialId),
      // What was paid before is not booked either (bookPayment).
      since: new Date(firstSweep.getTime() - SWEEP_PLAN.recent.lengthMs),
    });
    await planDays(pool, { rail: name, last: dateInSaoPaulo(new Date(dayStart(now).getTime() - 1)), ...planOf(now) });
  }
}

/** How days are planned that are over, or are asked for. */
export const planOf = (now: Date) => ({
  oldest: dateInSaoPaulo(new Date(now.getTime() - OLDEST_DAYS * DAY_MS)),
  afterMs: CHECKED_AFTER_MS,
  now,
});
