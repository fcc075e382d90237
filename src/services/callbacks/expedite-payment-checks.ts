import { expediteTasks, type TaskKind } from '#db/tasks/tasks.ts';
import type { Deps } from '../deps.ts';

/** The tasks that ask a provider whether money has arrived. */
const KINDS: readonly TaskKind[] = ['sync_charge', 'sync_invoice'];
/**
 * Payers pay soon after they order, so the newest are the most likely to be paid. The others are
 * checked at their own time.
 */
const CHECKS_MAX = 1_000;
/** Twenty checks a second, so that an outage is not followed by a provider's rate limit. */
const EVERY_MS = 50;

/**
 * Brings forward the checks of open charges and invoices, whose callbacks may have been lost. For a
 * process that has its database back, or that has just started: a provider that got an error calls
 * back when it likes, or never, and a payer who has paid would wait for the next check, which may
 * be hours away. Several processes may call it at once. Never throws: where it fails, checks run at
 * their own time.
 */
export async function expeditePaymentChecks({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<void> {
  try {
    const checks = await expediteTasks(db.pool, { kinds: KINDS, now: clock(), everyMs: EVERY_MS, limit: CHECKS_MAX });
    if (checks > 0) log.info({ checks }, 'Open charges are checked now: their callbacks may have been lost.');
  } catch (error) {
    log.warn({ err: error }, 'Open charges are checked at their own time: they could not be brought forward.');
  }
}
