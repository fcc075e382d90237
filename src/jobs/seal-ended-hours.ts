import { sealTotals } from '#db/reports/seal-totals.ts';
import type { Deps } from '#services/deps.ts';

const HOUR_MS = 3_600_000;
/**
 * An hour is closed when it has been over for so long. Payers have mostly paid by then, and clocks
 * are not wrong by as much; what is later all the same is added to what is closed.
 */
const CLOSED_AFTER_MS = HOUR_MS;
/** A statement adds up no more than this: after days without a worker it stays one of seconds. */
const SPAN_HOURS = 24;
/** What began before an hour was closed ends within milliseconds, or some seconds at most. */
const PAUSE_MS = 100;
const PAUSES_MAX = 20;

/**
 * Brings the totals of hours and days up to date (docs/adr/0039-totals-of-hours-and-days.md). What
 * is still under way when its hour is closed is waited for only shortly: until they are sealed the
 * overview reads the hour's transfers.
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
