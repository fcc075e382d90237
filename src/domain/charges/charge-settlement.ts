import type { ChargeStatus } from '../transactions/transaction-states.ts';

/** A payment as the PSP states it. */
export type ReceivedPayment = { endToEndId: string; amountCentavos: bigint; paidAt: Date };

/**
 * Why a payment of a charge is not credited: it is of another amount, or the charge had been paid
 * or was in review already.
 */
export const REVIEW_REASONS = ['amount_differs', 'second_payment'] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** Who gets money that was in review: the account, the payer, or no one. */
export const REVIEW_RESOLUTIONS = ['credit', 'return', 'write_off'] as const;

/** What to do with a charge, given what the PSP says of it. */
export type SettlementStep =
  | { step: 'pay'; payment: ReceivedPayment }
  | { step: 'review'; payment: ReceivedPayment; reason: ReviewReason }
  | { step: 'close'; as: 'expired' | 'cancelled' };

export type ChargeState = {
  status: ChargeStatus;
  amountCentavos: bigint;
  /** The payment that was credited, if one was. */
  endToEndId: string | null;
  expiresAt: Date;
  /** How many of its payments wait for a decision. */
  openReviews: number;
};

/**
 * A payment made in a charge's last second reaches the PSP's books a little later, so a charge does
 * not expire before.
 */
export const EXPIRY_GRACE_MS = 10_000;

/**
 * Decides the next step for a charge; `null` when there is none. Callers take the step, read the
 * charge again, and repeat until `null`, so that a charge with several payments is processed one by
 * one.
 * - The first payment of exactly the charge's amount is credited, late or not.
 * - Any other payment goes to review: never credited silently, never lost.
 * - A charge whose reviews are all decided without a credit is cancelled.
 * - `booked` are the end-to-end ids that are in review already, or in the books without this
 *   charge.
 */
export function nextSettlementStep(
  charge: ChargeState,
  provider: { status: 'active' | 'paid' | 'cancelled' | null; payments: readonly ReceivedPayment[] } | null,
  booked: ReadonlySet<string>,
  now: Date,
): SettlementStep | null {
  const open = (provider?.payments ?? []).filter(
    (p) => p.endToEndId !== charge.endToEndId && !booked.has(p.endToEndId),
  );
  const credited = charge.status === 'paid' || charge.status === 'refunded' || charge.status === 'review';
  if (!credited) {
    const exact = open.find((p) => p.amountCentavos === charge.amountCentavos);
    if (exact) return { step: 'pay', payment: exact };
  }
  const first = open[0];
  if (first) return { step: 'review', payment: first, reason: credited ? 'second_payment' : 'amount_differs' };
  // What was in review was returned, or written off.
  if (charge.status === 'review' && charge.openReviews === 0) return { step: 'close', as: 'cancelled' };
  if (charge.status !== 'pending') return null;
  if (provider?.status === 'cancelled') return { step: 'close', as: 'cancelled' };
  // The state is not known (null), or which payment made it so is still to come.
  if (provider?.status === null) return null;
  if (provider?.status === 'paid' && provider.payments.length === 0) return null;
  return now.getTime() >= charge.expiresAt.getTime() + EXPIRY_GRACE_MS ? { step: 'close', as: 'expired' } : null;
}
