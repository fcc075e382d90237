import { findSweep, insertSweeps, SWEEP_SPANS, type SweepRow, saveSweep } from '#db/sweeps/sweeps.ts';
import { nextSweepAt, SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { PixPayment, PixRail } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { bookPayment, findUnbooked } from '../unmatched/book-payment.ts';

/**
 * Has every PIX rail's payments read from now on: what a PSP has received, or given back, and no
 * callback reported. Safe to call any number of times, by any number of processes; to be called
 * again after credentials may have been added.
 */
export async function planSweeps(deps: Deps): Promise<void> {
  const now = deps.clock();
  for (const rail of await deps.rails.pixRails()) {
    const sweeps = SWEEP_SPANS.map((span) => ({
      id: uuidv7(now),
      rail: rail.name,
      span,
      dueAt: nextSweepAt(span, now),
    }));
    await insertSweeps(deps.db.pool, sweeps, now);
  }
}

/**
 * Reads one page of a sweep's period and books what is not in the books; gives the time of the next
 * page, or of the next sweep. A sweep that is interrupted goes on with the page that it was at.
 * Null: there is no such sweep. Throws ProviderUnavailable when the PSP can't say.
 */
export async function runSweep(deps: Deps, id: string): Promise<Date | null> {
  const sweep = await findSweep(deps.db.pool, id);
  if (!sweep) return null;
  const rail = await deps.rails.pixNamed(sweep.rail);
  // Credentials that are gone for now are asked again at the next time.
  if (!rail) return nextSweepAt(sweep.span, deps.clock());
  const now = deps.clock();
  const { refundedOnly } = SWEEP_PLAN[sweep.span];
  const period = periodOf(sweep) ?? newPeriod(sweep, now);
  const listed = await rail.listPayments({ ...period, refundedOnly });
  if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
  const { payments, unreadable, hasMore } = listed.value;
  if (unreadable > 0) deps.log.error({ rail: rail.name, unreadable }, 'A PSP lists payments that can’t be read.');

  await bookAll(deps, rail, await findUnbooked(deps, rail.name, payments));
  const next = hasMore ? { ...period, page: period.page + 1 } : null;
  await saveSweep(deps.db.pool, { id, period: next, readUntil: period.to });
  return next ? deps.clock() : nextSweepAt(sweep.span, deps.clock());
}

/** Reaches back to where the one before it ended: the service, or the PSP, may have been down. */
function newPeriod({ span, finishedAt }: SweepRow, now: Date) {
  const { lengthMs } = SWEEP_PLAN[span];
  const since = Math.min(now.getTime(), finishedAt?.getTime() ?? now.getTime());
  const from = Math.max(since - lengthMs, now.getTime() - SWEEP_PLAN.quarter.lengthMs);
  return { from: new Date(from), to: now, page: 0 };
}

const periodOf = ({ fromAt, toAt, page }: SweepRow) => fromAt && toAt && { from: fromAt, to: toAt, page };

/**
 * One payment that can't be booked holds up no other: the next sweep finds it again. Throws
 * ProviderUnavailable when it is the PSP that can't say of several.
 */
async function bookAll(deps: Deps, rail: PixRail, payments: readonly PixPayment[]): Promise<void> {
  let unanswered = 0;
  for (const payment of payments) {
    try {
      await bookPayment(deps, rail, payment);
    } catch (error) {
      const { endToEndId } = payment;
      deps.log.error({ err: error, endToEndId }, 'A payment could not be booked; the next sweep finds it again.');
      if (error instanceof ProviderUnavailable && ++unanswered === UNANSWERED_MAX) throw error;
    }
  }
}

/** A PSP that is silent answers nothing for 15 seconds each time, and a task has 30. */
const UNANSWERED_MAX = 2;
