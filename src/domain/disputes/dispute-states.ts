/**
 * The states of a case of the central bank's return mechanism (MED). `open`: waits for the
 * merchant's answer; `answered`: waits for the PSP; `lost`: the devolução follows; `returned`: it
 * arrived.
 */
export const DISPUTE_STATES = ['open', 'answered', 'won', 'lost', 'cancelled', 'returned'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/**
 * Returns whether a case is still open. Its payment must not be refunded otherwise until it has
 * ended.
 */
export const isOpenDispute = (state: DisputeState): boolean =>
  state === 'open' || state === 'answered' || state === 'lost';

/**
 * Why a payment may be contested (Regulamento do Pix, MED). Complaints about the goods are no
 * reason.
 */
export const DISPUTE_REASONS = ['fraud', 'operational_failure', 'unknown'] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

export const DISPUTE_ANSWERS = ['agree', 'contest'] as const;
export type DisputeAnswer = (typeof DISPUTE_ANSWERS)[number];

/** The longest defence that PSPs accept, in characters. */
export const ANSWER_TEXT_LENGTH_MAX = 4_000;

/** The most files of evidence: what PSPs accept with a defence, and a person can read. */
export const FILES_PER_DISPUTE_MAX = 5;

/** The decisions that a case can get; after `lost` the devolução follows. */
export const DISPUTE_ENDS = ['won', 'lost', 'cancelled'] as const;
export type DisputeEnd = (typeof DISPUTE_ENDS)[number];

/** A lost case may still be decided otherwise until its devolução arrives. */
const DECISIONS: Readonly<Record<DisputeState, readonly DisputeEnd[]>> = {
  open: DISPUTE_ENDS,
  answered: DISPUTE_ENDS,
  lost: ['won', 'cancelled'],
  won: [],
  cancelled: [],
  returned: [],
};

/** Whether a case in this state can end in that way. */
export const canEnd = (state: DisputeState, to: DisputeEnd): boolean => DECISIONS[state].includes(to);

const HOUR_MS = 3_600_000;

/**
 * How long after a payment a case about it may come: a payer has 80 days, and the banks eleven more
 * to decide (MED 2.0); a day more for clocks and zones.
 */
export const DISPUTABLE_MS = 92 * 24 * HOUR_MS;

/**
 * How long a merchant has to answer when the PSP gives no deadline: the shortest that PSPs give
 * (two days).
 */
export const ANSWER_WITHIN_MS = 48 * HOUR_MS;

/** How long before the deadline the last reminder is sent. */
const LAST_REMINDER_MS = 6 * HOUR_MS;

/**
 * Returns when to remind of an open case next: at half of its time, then six hours before its end;
 * `null` after that.
 */
export function nextReminder(dispute: { openedAt: Date; answerBy: Date }, now: Date): Date | null {
  // A Date would cut the half of a millisecond off; the database, which plans the first, rounds up.
  const half = Math.ceil((dispute.openedAt.getTime() + dispute.answerBy.getTime()) / 2);
  const last = dispute.answerBy.getTime() - LAST_REMINDER_MS;
  const next = [half, last].find((at) => at > now.getTime());
  return next === undefined ? null : new Date(next);
}
