import { findSweep, insertSweeps, SWEEP_SPANS, type SweepRow, saveSweep } from '#db/sweeps/sweeps.ts';
import { nextSweepAt, SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { PixPayment, PixRail, PixSentPayment } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { reachBack, readDisputes } from '../disputes/read-disputes.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { bookPayment, findUnbooked } from '../unmatched/book-payment.ts';
import { bookSentPayment } from '../unmatched/book-sent-payment.ts';

/**
 * Has every PIX rail's payments read from now on: what a PSP has received, or given back, and no
 * callback reported, and what is contested of it. Safe to call any number of times, by any number
 * of processes; to be called again after credentials may have been added.
 */
export async function planSweeps(deps: Deps): Promise<void> {
  const now = deps.clock();
  for (const rail of await deps.rails.pixRails()) {
    const asked = { received: true, sent: rail.payouts !== null, disputes: rail.disputes !== null };
    const spans = SWEEP_SPANS.filter((span) => asked[SWEEP_PLAN[span].of]);
    const sweeps = spans.map((span) => ({
      id: uuidv7(now),
      rail: rail.name,
      span,
      dueAt: nextSweepAt({ span, rail: rail.name }, now),
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
  if (!rail) return nextSweepAt(sweep, deps.clock());
  const now = deps.clock();
  const period = periodOf(sweep) ?? (await newPeriod(deps, sweep, now));
  const read = await readPage(deps, rail, sweep.span, period);
  if (read === 'denied') return new Date(now.getTime() + DENIED_AGAIN_MS);
  const { unreadable, hasMore } = read;
  if (unreadable > 0) deps.log.error({ rail: rail.name, unreadable }, 'A PSP lists payments that can’t be read.');
  const next = hasMore ? { ...period, page: period.page + 1 } : null;
  await saveSweep(deps.db.pool, { id, period: next, readUntil: period.to });
  return next ? deps.clock() : nextSweepAt(sweep, deps.clock());
}

/** Somebody has to give these credentials a scope first. */
const DENIED_AGAIN_MS = 60 * 60_000;

type Period = { from: Date; to: Date; page: number };

/** Books what a page has that is not in the books. */
async function readPage(deps: Deps, rail: PixRail, span: SweepRow['span'], period: Period) {
  const plan = SWEEP_PLAN[span];
  if (plan.of === 'received') {
    const listed = await rail.listPayments({ ...period, refundedOnly: plan.refundedOnly });
    if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
    const unbooked = await findUnbooked(deps, rail.name, listed.value.payments);
    await bookAll(deps, unbooked, (payment: PixPayment) => bookPayment(deps, rail, payment));
    return listed.value;
  }
  if (plan.of === 'disputes') return readDisputes(deps, rail, period);
  // Credentials that may not send any more have sent nothing that is not known.
  if (!rail.payouts) return { unreadable: 0, hasMore: false };
  const listed = await rail.payouts.listPayouts(period);
  if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
  await bookAll(deps, listed.value.payouts, (sent: PixSentPayment) => bookSentPayment(deps, rail.name, sent));
  return listed.value;
}

/** Reaches back to where the one before it ended: the service, or the PSP, may have been down. */
async function newPeriod(
  deps: Pick<Deps, 'db' | 'clock'>,
  { span, rail, finishedAt }: SweepRow,
  now: Date,
): Promise<Period> {
  const { of, lengthMs } = SWEEP_PLAN[span];
  const since = Math.min(now.getTime(), finishedAt?.getTime() ?? now.getTime());
  const from = new Date(Math.max(since - lengthMs, now.getTime() - LONGEST_MS[of]));
  return { from: of === 'disputes' ? await reachBack(deps, rail, from) : from, to: now, page: 0 };
}

/** Before that nothing changes any more at a PSP. */
const LONGEST_MS = {
  received: SWEEP_PLAN.quarter.lengthMs,
  sent: SWEEP_PLAN.quarter.lengthMs,
  disputes: SWEEP_PLAN.disputes_quarter.lengthMs,
};

const periodOf = ({ fromAt, toAt, page }: SweepRow) => fromAt && toAt && { from: fromAt, to: toAt, page };

/**
 * One payment that can't be booked holds up no other: the next sweep finds it again. Throws
 * ProviderUnavailable when it is the PSP that can't say of several.
 */
async function bookAll<P extends { endToEndId: string }>(
  deps: Deps,
  payments: readonly P[],
  book: (payment: P) => Promise<unknown>,
): Promise<void> {
  let unanswered = 0;
  for (const payment of payments) {
    try {
      await book(payment);
    } catch (error) {
      const { endToEndId } = payment;
      deps.log.error({ err: error, endToEndId }, 'A payment could not be booked; the next sweep finds it again.');
      if (error instanceof ProviderUnavailable && ++unanswered === UNANSWERED_MAX) throw error;
    }
  }
}

/** A PSP that is silent answers nothing for 15 seconds each time, and a task has 30. */
const UNANSWERED_MAX = 2;
