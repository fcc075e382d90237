import { findFurthestAhead } from '#db/accounts/test-clocks.ts';
import { findSweep, insertSweeps, SWEEP_SPANS, type SweepRow, saveSweep } from '#db/sweeps/sweeps.ts';
import { isSandboxRail } from '#domain/sandbox/sandbox-commands.ts';
import { nextSweepAt, SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { CryptoRail, PixRail } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { reachBack, readDisputes } from '../disputes/read-disputes.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { bookOperation } from '../unmatched/book-operation.ts';
import { bookPayment, findUnbooked } from '../unmatched/book-payment.ts';
import { bookSentPayment } from '../unmatched/book-sent-payment.ts';
import { bookAll } from './book-all.ts';

/**
 * Plans the sweeps of every rail, which find what no callback reported: payments that a PSP
 * received, returned or sent, those that are contested, and the operations of crypto processors.
 * Safe to call any number of times, by any number of processes; called again after credentials may
 * have been added.
 */
export async function planSweeps(deps: Deps): Promise<void> {
  for (const rail of await deps.rails.pixRails()) {
    const asked = { received: true, sent: rail.payouts !== null, disputes: rail.disputes !== null, operations: false };
    await planRail(deps, rail.name, (of) => asked[of]);
  }
  for (const rail of await deps.rails.cryptoRails()) await planRail(deps, rail.name, (of) => of === 'operations');
}

async function planRail(deps: Deps, rail: string, isAsked: (of: Listing) => boolean): Promise<void> {
  const now = deps.clock();
  const spans = SWEEP_SPANS.filter((span) => isAsked(SWEEP_PLAN[span].of));
  const sweeps = spans.map((span) => ({ id: uuidv7(now), rail, span, dueAt: nextSweepAt({ span, rail }, now) }));
  await insertSweeps(deps.db.pool, sweeps, now);
}

/** What a PSP reports by no callback: cases of MED, and what goes back by itself. */
const UNREPORTED_SPANS = ['disputes_recent', 'quarter'] as const;

/**
 * Reads now what a PSP reports by no callback, and books what is not in the books; the sweeps are
 * not changed by it. Throws ProviderUnavailable when the PSP can't say.
 */
export async function readUnreported(deps: Deps, railName: string): Promise<void> {
  const rail = await deps.rails.pixNamed(railName);
  if (!rail) return;
  for (const span of UNREPORTED_SPANS) {
    const period = await newPeriod(deps, { span, rail: railName, finishedAt: null }, deps.clock());
    for (let page = 0; ; page++) {
      const read = await readPage(deps, rail, span, { ...period, page, attempt: 1 });
      if (read === 'denied' || !read.hasMore) break;
    }
  }
}

/** Which list of a provider a sweep reads. */
type Listing = (typeof SWEEP_PLAN)[keyof typeof SWEEP_PLAN]['of'];

/**
 * Reads one page of a sweep's period and books what is not in the books; gives the time of the next
 * page, or of the next sweep. A sweep that is interrupted goes on with the page that it was at;
 * `attempt` counts those at this page, from 1. Null: there is no such sweep. Throws
 * ProviderUnavailable when the provider can't say.
 */
export async function runSweep(deps: Deps, id: string, attempt = 1): Promise<Date | null> {
  const sweep = await findSweep(deps.db.pool, id);
  if (!sweep) return null;
  const read = await readerOf(deps, sweep, attempt);
  // Credentials that are not available now are used again at the next sweep.
  if (!read) return nextSweepAt(sweep, deps.clock());
  const now = deps.clock();
  const period = periodOf(sweep) ?? (await newPeriod(deps, sweep, now));
  const page = await read(period);
  if (page === 'denied') return new Date(now.getTime() + DENIED_AGAIN_MS);
  const { unreadable, hasMore } = page;
  if (unreadable > 0) deps.log.error({ rail: sweep.rail, unreadable }, 'A provider lists payments that can’t be read.');
  const next = hasMore ? { ...period, page: period.page + 1 } : null;
  const readUntil = new Date(Math.min(period.to.getTime(), now.getTime()));
  await saveSweep(deps.db.pool, { id, period: next, readUntil });
  return next ? deps.clock() : nextSweepAt(sweep, deps.clock());
}

/** Books what a page of a period has that is not in the books. */
type Reader = (period: Period) => Promise<'denied' | { unreadable: number; hasMore: boolean }>;

async function readerOf(deps: Deps, { rail: name, span }: SweepRow, attempt: number): Promise<Reader | null> {
  if (SWEEP_PLAN[span].of === 'operations') {
    const crypto = await deps.rails.cryptoNamed(name);
    return crypto && ((period) => readOperations(deps, crypto, { ...period, attempt }));
  }
  const pix = await deps.rails.pixNamed(name);
  return pix && ((period) => readPage(deps, pix, span, { ...period, attempt }));
}

async function readOperations(deps: Deps, rail: CryptoRail, { attempt, ...period }: Attempt) {
  const listed = await rail.listOperations(period);
  if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
  await bookAll(deps, listed.value.operations, {
    nameOf: ({ providerId }) => ({ providerId }),
    book: (operation) => bookOperation(deps, rail, operation),
    attempt,
  });
  return listed.value;
}

/** An operator has to add a scope to these credentials first. */
const DENIED_AGAIN_MS = 60 * 60_000;

type Period = { from: Date; to: Date; page: number };
type Attempt = Period & { attempt: number };

async function readPage(deps: Deps, rail: PixRail, span: SweepRow['span'], { attempt, ...period }: Attempt) {
  const plan = SWEEP_PLAN[span];
  if (plan.of === 'received') {
    const listed = await rail.listPayments({ ...period, refundedOnly: plan.refundedOnly });
    if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
    const unbooked = await findUnbooked(deps, rail.name, listed.value.payments);
    await bookAll(deps, unbooked, { nameOf, book: (payment) => bookPayment(deps, rail, payment), attempt });
    return listed.value;
  }
  if (plan.of === 'disputes') return readDisputes(deps, rail, { ...period, attempt });
  // Credentials that lost the permission to send have sent nothing unknown.
  if (!rail.payouts) return { unreadable: 0, hasMore: false };
  const listed = await rail.payouts.listPayouts(period);
  if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
  const isReturnedOnly = plan.of === 'sent' && plan.returnedOnly;
  const payouts = listed.value.payouts.filter(({ returns }) => !isReturnedOnly || returns.length > 0);
  await bookAll(deps, payouts, {
    nameOf,
    book: (sent) => bookSentPayment(deps, rail.name, sent),
    attempt,
  });
  return listed.value;
}

/**
 * Reaches back to where the one before it ended: the service, or the PSP, may have been down. At
 * the sandbox it reaches ahead, too, as far as a test clock is: by that clock something has
 * happened already.
 */
async function newPeriod(
  deps: Pick<Deps, 'db' | 'clock'>,
  { span, rail, finishedAt }: Pick<SweepRow, 'span' | 'rail' | 'finishedAt'>,
  now: Date,
): Promise<Period> {
  const { of, lengthMs } = SWEEP_PLAN[span];
  const since = Math.min(now.getTime(), finishedAt?.getTime() ?? now.getTime());
  const from = new Date(Math.max(since - lengthMs, now.getTime() - LONGEST_MS[of]));
  const aheadMs = isSandboxRail(rail) ? await findFurthestAhead(deps.db.pool) : 0;
  const to = new Date(now.getTime() + aheadMs);
  return { from: of === 'disputes' ? await reachBack(deps, rail, from) : from, to, page: 0 };
}

/**
 * How far back a sweep reaches at most: older payments change no more at a provider. What was
 * received or sent may have changed on its last day of a quarter, a week or an outage before this
 * sweep.
 */
const LONGEST_MS = {
  received: 2 * SWEEP_PLAN.quarter.lengthMs,
  sent: 2 * SWEEP_PLAN.sent_quarter.lengthMs,
  disputes: SWEEP_PLAN.disputes_quarter.lengthMs,
  operations: SWEEP_PLAN.quarter.lengthMs,
};

const periodOf = ({ fromAt, toAt, page }: SweepRow) => fromAt && toAt && { from: fromAt, to: toAt, page };

const nameOf = ({ endToEndId }: { endToEndId: string }) => ({ endToEndId });
