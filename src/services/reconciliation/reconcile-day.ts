import {
  beginRun,
  type DayToReconcile,
  findDayToReconcile,
  findSentFrom,
  finishRun,
  type ListedMovement,
  type ReconciliationRun,
  savePage,
} from '#db/reconciliation/run-reconciliation.ts';
import {
  BALANCE_KNOWN_MS,
  CHECKED_AFTER_MS,
  DAY_MS,
  nextCheckAt,
  RUN_MAX_MS,
} from '#domain/reconciliation/reconciliation-plan.ts';
import { SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { nextDayStart } from '#domain/values/business-day.ts';
import { txidToUuid, uuidv7 } from '#domain/values/uuid.ts';
import type { PixPayment, PixRail, PixSentPayment } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';

/** Of a day that differs in more items the first are kept; its sums are of all. */
const ITEMS_MAX = 1_000;

/**
 * Reads a page of what a PSP lists of a day and, after the last one, compares the day with the
 * ledger; gives the time of the next page or of the next look, or null when none is due. A run that
 * is interrupted goes on with the page that it was at. Throws ProviderUnavailable when the PSP
 * can't say.
 */
export async function reconcileDay(deps: Deps, id: string): Promise<Date | null> {
  const { pool } = deps.db;
  const day = await findDayToReconcile(pool, id);
  if (!day) return null;
  const rail = await deps.rails.pixNamed(day.rail);
  const now = deps.clock();
  // Credentials that are gone for now are asked again later.
  if (!rail) return new Date(nextDayStart(now).getTime() + CHECKED_AFTER_MS);
  const isRunning = day.run && now.getTime() - day.run.at.getTime() < RUN_MAX_MS;
  const run = isRunning ? day.run : await begin(deps, rail, day);
  // Another process has begun one, or has asked for one.
  if (!run) return now;

  const page = await readPage(deps, rail, day, run);
  const next = nextOf(rail, run, page.hasMore);
  const isSaved = await savePage(pool, { dayId: id, run, ...page, next: next ?? { ...run, page: run.page + 1 } });
  if (!isSaved || next) return deps.clock();

  const outcome = await finishRun(pool, { dayId: id, id: run.id, itemsMax: ITEMS_MAX, now: deps.clock() });
  if (!outcome) return deps.clock();
  const { unexplainedCentavos, unreadable } = outcome;
  const isExplained = unexplainedCentavos === 0n && unreadable === 0;
  if (!isExplained) {
    deps.log.error(
      { rail: rail.name, day: day.startsAt, unexplainedCentavos, unreadable },
      'The books of a PSP and ours differ about a day.',
    );
  }
  return nextCheckAt({ dayEnd: day.endsAt, readUntil: run.at, isExplained }, deps.clock());
}

type Run = NonNullable<DayToReconcile['run']>;

async function begin(deps: Deps, rail: PixRail, day: DayToReconcile): Promise<Run | null> {
  const now = deps.clock();
  const isRecent = now.getTime() - day.endsAt.getTime() < BALANCE_KNOWN_MS;
  const said = isRecent ? await rail.balance?.() : undefined;
  const balanceCentavos = said?.outcome === 'done' ? said.value : null;
  const run = { id: uuidv7(now), at: now, step: 'received', page: 0 } as const;
  const before = day.run?.id ?? null;
  const isBegun = await beginRun(deps.db.pool, { dayId: day.id, before, id: run.id, balanceCentavos, now });
  return isBegun ? { ...run, hasBalance: balanceCentavos !== null } : null;
}

type Page = { movements: ListedMovement[]; unreadable: number; hasMore: boolean };

async function readPage(deps: Deps, rail: PixRail, day: DayToReconcile, run: Run): Promise<Page> {
  const { page, step } = run;
  if (step === 'sent') {
    if (!rail.payouts) return { movements: [], unreadable: 0, hasMore: false };
    // By when they were asked for; they may have been settled on another day.
    const before = new Date(day.startsAt.getTime() - SWEEP_PLAN.sent_days.lengthMs);
    // Of a day that is not over, what there was when the run began: the pages are of one list.
    const endsAt = new Date(Math.min(day.endsAt.getTime(), run.at.getTime()));
    const from = await findSentFrom(deps.db.pool, { ...day, endsAt }, before);
    const listed = await rail.payouts.listPayouts({ from, to: readUntil(day, run, DAY_MS), page });
    if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
    const { payouts, ...rest } = listed.value;
    return { ...rest, movements: payouts.filter(({ status }) => status === 'completed').map(sentMovement) };
  }
  // What goes back is listed with its payment, which may be a quarter old.
  const refundedOnly = step === 'returned';
  const period = refundedOnly
    ? { from: new Date(day.startsAt.getTime() - SWEEP_PLAN.quarter.lengthMs - DAY_MS), to: readUntil(day, run, DAY_MS) }
    : { from: day.startsAt, to: readUntil(day, run, 0) };
  const listed = await rail.listPayments({ ...period, page, refundedOnly });
  if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
  const { payments, ...rest } = listed.value;
  return { ...rest, movements: refundedOnly ? payments.flatMap(returnedMovements) : payments.map(receivedMovement) };
}

/**
 * Up to the instant of which the balance is known; else to the end of the day, and so much later
 * where our own books may have on the day what the PSP has after it.
 */
function readUntil({ endsAt }: DayToReconcile, run: Run, laterMs: number): Date {
  const until = run.hasBalance ? Number.POSITIVE_INFINITY : endsAt.getTime() + laterMs;
  return new Date(Math.min(run.at.getTime(), until));
}

/** The page after one; null after the last. */
function nextOf(rail: PixRail, { step, page }: ReconciliationRun, hasMore: boolean) {
  if (hasMore) return { step, page: page + 1 };
  if (step === 'received') return { step: 'returned', page: 0 } as const;
  return step === 'returned' && rail.payouts ? ({ step: 'sent', page: 0 } as const) : null;
}

const receivedMovement = ({ endToEndId, amountCentavos, paidAt }: PixPayment): ListedMovement => ({
  ...{ kind: 'payment', endToEndId, refundId: '', ownId: null, returnId: null },
  ...{ centavos: amountCentavos, at: paidAt, paidAt },
});

const returnedMovements = ({ endToEndId, paidAt, refunds }: PixPayment): ListedMovement[] =>
  refunds
    .filter(({ completed }) => completed)
    .map(({ refundId, returnId, amountCentavos, at }) => ({
      ...{ kind: 'refund', endToEndId, refundId, ownId: txidToUuid(refundId), returnId },
      ...{ centavos: -amountCentavos, at, paidAt },
    }));

const sentMovement = ({ payoutId, endToEndId, amountCentavos, sentAt }: PixSentPayment): ListedMovement => ({
  ...{ kind: 'payout', endToEndId, refundId: '', ownId: payoutId && txidToUuid(payoutId), returnId: null },
  ...{ centavos: -amountCentavos, at: sentAt, paidAt: sentAt },
});
