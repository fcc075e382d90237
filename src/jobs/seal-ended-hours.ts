import { sealTotals } from '#db/reports/seal-totals.ts';
import type { Deps } from '#services/deps.ts';

const HOUR_MS = 3_600_000;
/**
 * An hour is closed this long after its end. By then payers have mostly paid, and clocks differ by
 * less; what comes later all the same is added to the closed hour.
 */
const CLOSED_AFTER_MS = HOUR_MS;
/** One statement adds up this much at most: it takes seconds also after days without a worker. */
const SPAN_HOURS = 24;
/**
 * Transactions that began before an hour was closed end within milliseconds, or seconds at most.
 */
const PAUSE_MS = 100;
const PAUSES_MAX = 20;

/**
 * Brings the totals of hours and days up to date (docs/adr/0039-totals-of-hours-and-days.md). Waits
 * only shortly for transactions that are under way when their hour is closed: until it is sealed,
 * the overview reads the hour's transfers.
 */
export async function sealEndedHours(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const until = new Date(Math.floor((clock().getTime() - CLOSED_AFTER_MS) / HOUR_MS) * HOUR_MS);
  for (let pauses = 0; pauses < PAUSES_MAX && !isStopping(); ) {
    const step = await sealTotals(db.pool, until, SPAN_HOURS);
    if (step === 'done' || step === 'busy') return;
    if (step !== 'waiting') continue;
    if (pauses++ > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
