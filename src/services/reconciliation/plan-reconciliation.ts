import { listReconciledRails } from '#db/reconciliation/reconciled-days.ts';
import { planCoins, planDays, planRail } from '#db/reconciliation/run-reconciliation.ts';
import { findFirstSweep, findLastSweeps, listSweptProcessors } from '#db/sweeps/sweeps.ts';
import { BRL } from '#domain/reconciliation/reconciled-amounts.ts';
import { CHECKED_AFTER_MS, DAY_MS, OLDEST_DAYS } from '#domain/reconciliation/reconciliation-plan.ts';
import { SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { dateInSaoPaulo, dayStart } from '#domain/values/business-day.ts';
import type { Deps } from '../deps.ts';
import { findRailOwner } from '../providers/find-rail-owner.ts';
import { ANSWERS_WITHIN_MS } from '../sweeps/is-still-read.ts';

/**
 * Plans the comparison of each ended day of every rail with the ledger. Safe to call any number of
 * times, by any number of processes; called again after a day has ended, or credentials may have
 * been added. A rail is planned from its first sweep on, a currency of a crypto processor from the
 * first movement in it on. A rail whose credentials were replaced or disconnected is swept, and so
 * compared, for as long as its PSP answers to them.
 */
export async function planReconciliation(deps: Deps): Promise<void> {
  const { pool } = deps.db;
  const now = deps.clock();
  const last = dateInSaoPaulo(new Date(dayStart(now).getTime() - 1));
  const inUse = (await deps.rails.pixRails()).map(({ name }) => name);
  for (const name of inUse) {
    const firstSweep = await findFirstSweep(pool, name);
    if (!firstSweep) continue;
    await planRail(pool, {
      rail: name,
      accountId: await findRailOwner(deps, name),
      // What was paid before is not booked either (bookPayment).
      since: new Date(firstSweep.getTime() - SWEEP_PLAN.recent.lengthMs),
    });
  }
  await planProcessors(deps);
  const answering = (await findLastSweeps(pool))
    .filter(({ at }) => now.getTime() - at.getTime() < ANSWERS_WITHIN_MS)
    .map(({ rail }) => rail);
  for (const { rail, currency } of await listReconciledRails(pool)) {
    const isCompared =
      currency === BRL
        ? inUse.includes(rail) || (answering.includes(rail) && (await deps.rails.pixNamed(rail)))
        : await deps.rails.cryptoNamed(rail);
    if (isCompared) await planDays(pool, { rail, currency, last, ...planOf(now) });
  }
}

/** Writes the currencies of crypto processors that something has moved in since the last call. */
export async function planProcessors(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (const { rail, firstSweep } of await listSweptProcessors(deps.db.pool)) {
    await planCoins(deps.db.pool, {
      rail,
      accountId: await findRailOwner(deps, rail),
      // The same instant as in recordAsForeign.
      since: new Date(firstSweep.getTime() - SWEEP_PLAN.operations_recent.lengthMs),
      now: deps.clock(),
    });
  }
}

/** With what days are planned, both those that have ended and those that are requested. */
export const planOf = (now: Date) => ({
  oldest: dateInSaoPaulo(new Date(now.getTime() - OLDEST_DAYS * DAY_MS)),
  afterMs: CHECKED_AFTER_MS,
  now,
});
