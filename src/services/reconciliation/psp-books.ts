import {
  type DayToReconcile,
  findPaidFrom,
  findSentFrom,
  type ListedMovement,
} from '#db/reconciliation/run-reconciliation.ts';
import { BALANCE_KNOWN_MS, DAY_MS } from '#domain/reconciliation/reconciliation-plan.ts';
import { SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { txidToUuid } from '#domain/values/uuid.ts';
import type { PixPayment, PixRail, PixSentPayment } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import type { BooksPage, ProviderBooks, Run } from './provider-books.ts';

/** A PSP's books of a day: what it received, what went back of it, and what it sent. */
export const pspBooks = (deps: Deps, rail: PixRail, day: DayToReconcile): ProviderBooks => ({
  async balance() {
    const isRecent = deps.clock().getTime() - day.endsAt.getTime() < BALANCE_KNOWN_MS;
    const said = isRecent ? await rail.balance?.() : undefined;
    return said?.outcome === 'done' ? said.value : null;
  },
  readPage: (run) => readPage(deps, rail, day, run),
  nextOf({ step, page }, hasMore) {
    if (hasMore) return { step, page: page + 1 };
    if (step === 'received') return { step: 'returned', page: 0 };
    return step === 'returned' && rail.payouts ? { step: 'sent', page: 0 } : null;
  },
});

async function readPage(deps: Deps, rail: PixRail, day: DayToReconcile, run: Run): Promise<BooksPage> {
  const { page, step } = run;
  if (step === 'sent') {
    if (!rail.payouts) return { movements: [], unreadable: 0, hasMore: false };
    // The PSP lists them by the time of their request; they may have been settled on another day.
    const before = new Date(day.startsAt.getTime() - SWEEP_PLAN.sent_days.lengthMs);
    // A day that is not over is read up to the beginning of the run, so that all pages belong to
    // one list.
    const endsAt = new Date(Math.min(day.endsAt.getTime(), run.at.getTime()));
    const from = await findSentFrom(deps.db.pool, { ...day, endsAt }, before);
    // A payout may be settled days after an operator has recorded it.
    const laterMs = day.isAgain ? Number.POSITIVE_INFINITY : DAY_MS;
    const listed = await rail.payouts.listPayouts({ from, to: readUntil(day, run, laterMs), page });
    if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
    const { payouts, ...rest } = listed.value;
    const sent = payouts.filter(({ status }) => status === 'completed');
    return { ...rest, movements: [...sent.map(sentMovement), ...payouts.flatMap(cameBackMovements)] };
  }
  // A devolução is listed with its payment, which may be 90 days old, or as old as the oldest one
  // that the ledger has.
  const refundedOnly = step === 'returned';
  const quarter = new Date(day.startsAt.getTime() - SWEEP_PLAN.quarter.lengthMs - DAY_MS);
  const from = refundedOnly ? await findPaidFrom(deps.db.pool, day, quarter) : day.startsAt;
  const to = readUntil(day, run, refundedOnly ? DAY_MS : 0);
  const listed = await rail.listPayments({ from, to, page, refundedOnly });
  if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
  const { payments, ...rest } = listed.value;
  return { ...rest, movements: refundedOnly ? payments.flatMap(returnedMovements) : payments.map(receivedMovement) };
}

/**
 * Until when a list is read: the beginning of the run when its balance is known, else `laterMs`
 * after the end of the day, since our books may have on a day what the PSP has after it. Never past
 * the beginning of the run.
 */
function readUntil({ endsAt }: DayToReconcile, run: Run, laterMs: number): Date {
  const until = run.hasBalance ? Number.POSITIVE_INFINITY : endsAt.getTime() + laterMs;
  return new Date(Math.min(run.at.getTime(), until));
}

const receivedMovement = ({ endToEndId, amountCentavos, paidAt }: PixPayment): ListedMovement => ({
  ...{ kind: 'payment', endToEndId, refundId: '', ownId: null, returnId: null },
  ...{ amount: amountCentavos, feeAmount: 0n, at: paidAt, paidAt },
});

const returnedMovements = ({ endToEndId, paidAt, refunds }: PixPayment): ListedMovement[] =>
  refunds
    .filter(({ completed }) => completed)
    .map(({ refundId, returnId, amountCentavos, at }) => ({
      ...{ kind: 'refund', endToEndId, refundId, ownId: txidToUuid(refundId), returnId },
      ...{ amount: -amountCentavos, feeAmount: 0n, at, paidAt },
    }));

const sentMovement = ({ payoutId, endToEndId, amountCentavos, sentAt }: PixSentPayment): ListedMovement => ({
  ...{ kind: 'payout', endToEndId, refundId: '', ownId: payoutId && txidToUuid(payoutId), returnId: null },
  ...{ amount: -amountCentavos, feeAmount: 0n, at: sentAt, paidAt: sentAt },
});

/** A sent Pix that came back is booked as a payment without a charge, so it is listed as one. */
const cameBackMovements = ({ returns }: PixSentPayment): ListedMovement[] =>
  returns.map(({ returnId, amountCentavos, at }) => ({
    ...{ kind: 'payment', endToEndId: returnId, refundId: '', ownId: null, returnId: null },
    ...{ amount: amountCentavos, feeAmount: 0n, at, paidAt: at },
  }));
