import { expediteTasks, type TaskKind } from '#db/tasks/tasks.ts';
import type { Deps } from '../deps.ts';

/** What asks a provider whether money has arrived. */
const KINDS: readonly TaskKind[] = ['sync_charge', 'sync_invoice'];
/**
 * Payers pay soon after they ordered: the newest are the likely ones. The others are checked at
 * their own time.
 */
const CHECKS_MAX = 1_000;
/** Twenty a second, so that an outage does not end in a provider's rate limit. */
const EVERY_MS = 50;

/**
 * Has open charges and invoices checked soon whose callback may have been lost: for a process that
 * has got its database back, or that has just started. A provider that was turned away calls back
 * when it pleases, or no more; a payer who has paid would wait for the next check, which may be
 * hours away. Safe to call by several processes at once. Never throws: checks come at their own
 * time where this fails.
 */
export async function expeditePaymentChecks({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<void> {
  try {
    const checks = await expediteTasks(db.pool, { kinds: KINDS, now: clock(), everyMs: EVERY_MS, limit: CHECKS_MAX });
    if (checks > 0) log.info({ checks }, 'Open charges are checked now: their callbacks may have been lost.');
  } catch (error) {
    log.warn({ err: error }, 'Open charges are checked at their own time: they could not be brought forward.');
  }
}
