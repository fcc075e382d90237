import {
  beginRun,
  type DayToReconcile,
  findDayToReconcile,
  finishRun,
  savePage,
} from '#db/reconciliation/run-reconciliation.ts';
import { BRL } from '#domain/reconciliation/reconciled-amounts.ts';
import { CHECKED_AFTER_MS, nextCheckAt, RUN_MAX_MS } from '#domain/reconciliation/reconciliation-plan.ts';
import { nextDayStart } from '#domain/values/business-day.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';
import { notifyDifference } from './notify-difference.ts';
import { processorBooks } from './processor-books.ts';
import type { ProviderBooks, Run } from './provider-books.ts';
import { pspBooks } from './psp-books.ts';

/** The most items of a day that are stored; the day's sums cover all of them. */
const ITEMS_MAX = 1_000;

/**
 * Reads a page of what a provider lists of a day and, after the last one, compares the day with the
 * ledger; returns the time of the next page or of the next comparison, or null when none is due. A
 * run that is interrupted goes on with the page that it was at. Throws ProviderUnavailable when the
 * provider can't say.
 */
export async function reconcileDay(deps: Deps, id: string): Promise<Date | null> {
  const { pool } = deps.db;
  const day = await findDayToReconcile(pool, id);
  if (!day) return null;
  const books = await openBooks(deps, day);
  const now = deps.clock();
  // Credentials that are not available now are used again later.
  if (!books) return new Date(nextDayStart(now).getTime() + CHECKED_AFTER_MS);
  const isRunning = day.run && now.getTime() - day.run.at.getTime() < RUN_MAX_MS;
  const run = isRunning ? day.run : await begin(deps, books, day);
  // Another process has begun one, or has asked for one.
  if (!run) return now;
  const page = await books.readPage(run);
  const next = books.nextOf(run, page.hasMore);
  const isSaved = await savePage(pool, { dayId: id, run, ...page, next: next ?? { ...run, page: run.page + 1 } });
  if (!isSaved || next) return deps.clock();
  const outcome = await finishRun(pool, { dayId: id, id: run.id, itemsMax: ITEMS_MAX, now: deps.clock() });
  if (!outcome) return deps.clock();
  const { unexplainedAmount, unreadable, isAcknowledged, acknowledgedBefore } = outcome;
  const isExplained = unexplainedAmount === 0n && unreadable === 0;
  if (!isExplained && !isAcknowledged) {
    deps.log.error(
      { rail: day.rail, currency: day.currency, day: day.startsAt, unexplainedAmount, unreadable },
      'The books of a provider and ours differ about a day.',
    );
    await notifyDifference(deps, { ...day, acknowledgedBefore });
  }
  return nextCheckAt({ dayEnd: day.endsAt, readUntil: run.at, isExplained }, deps.clock());
}

async function openBooks(deps: Deps, day: DayToReconcile): Promise<ProviderBooks | null> {
  if (day.currency === BRL) {
    const pix = await deps.rails.pixNamed(day.rail);
    return pix && pspBooks(deps, pix, day);
  }
  const crypto = await deps.rails.cryptoNamed(day.rail);
  return crypto && processorBooks(deps, crypto, day);
}

async function begin(deps: Deps, books: ProviderBooks, day: DayToReconcile): Promise<Run | null> {
  const now = deps.clock();
  const balanceAmount = await books.balance();
  const run = { id: uuidv7(now), at: now, step: 'received', page: 0 } as const;
  const before = day.run?.id ?? null;
  const isBegun = await beginRun(deps.db.pool, { dayId: day.id, before, id: run.id, balanceAmount, now });
  return isBegun ? { ...run, hasBalance: balanceAmount !== null } : null;
}
