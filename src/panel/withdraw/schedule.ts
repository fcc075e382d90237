import type { WithdrawalErrorCode } from '#contract/withdrawals/withdrawal-preview.ts';
import {
  isDate,
  REPEAT_COUNT_MAX,
  REPEAT_COUNT_MIN,
  REPEAT_EVERY,
  type Repeat,
  scheduleIssue,
} from '#domain/withdrawals/payout-schedule.ts';

export type ScheduleIssue = 'date' | 'dateMissing' | 'times' | 'tooLong';

/** The schedule of a withdrawal, as it is typed. */
export type ScheduleDraft = {
  /** Without this it is sent at once, whatever the other fields say. */
  isScheduled: boolean;
  scheduledFor: string;
  /** Empty: it is sent once. */
  every: string;
  /** How many withdrawals in all. */
  times: string;
  /** Whether the money is held from now on. */
  reserve: boolean;
};

/** Returns the further input of REST for a withdrawal on a later date. */
export const scheduleOf = (draft: ScheduleDraft) => ({
  scheduledFor: draft.scheduledFor,
  repeat: repeatOf(draft),
  reserve: draft.reserve,
});

/** Returns the repetition; null: it is sent once. */
export function repeatOf({ every: chosen, times }: Pick<ScheduleDraft, 'every' | 'times'>): Repeat | null {
  const every = REPEAT_EVERY.find((known) => known === chosen);
  return every === undefined ? null : { every, count: Number(times), until: null };
}

/** Returns the issues of the date and the repetition. */
export function scheduleIssues(draft: ScheduleDraft, now: Date): Partial<Record<keyof ScheduleDraft, ScheduleIssue>> {
  const { isScheduled, scheduledFor: firstOn, times } = draft;
  if (!isScheduled) return {};
  if (firstOn === '') return { scheduledFor: 'dateMissing' };
  const repeat = repeatOf(draft);
  const issue = isDate(firstOn) ? scheduleIssue({ firstOn, repeat: null }, now) : 'first';
  if (issue) return { scheduledFor: 'date' };
  if (repeat === null) return {};
  const count = Number(times);
  const isCount = /^\d+$/.test(times.trim()) && count >= REPEAT_COUNT_MIN && count <= REPEAT_COUNT_MAX;
  if (!isCount) return { times: 'times' };
  return scheduleIssue({ firstOn, repeat }, now) ? { times: 'tooLong' } : {};
}

/**
 * Whether the money leaves the available balance at once: that of a PIX on a later date stays,
 * unless it is to be held.
 */
export const isHeldNow = ({
  kind,
  isScheduled,
  reserve,
}: Pick<ScheduleDraft, 'isScheduled' | 'reserve'> & { kind: 'pix' | 'crypto' }): boolean =>
  kind === 'crypto' || !isScheduled || reserve;

/** Errors that are checked again when the withdrawal begins, and may be gone by then. */
const OF_ITS_MOMENT: readonly WithdrawalErrorCode[] = [
  'insufficient_funds',
  'daily_limit_reached',
  'night_limit_reached',
];

/**
 * Returns the preview's errors that hold for this withdrawal: a scheduled one is not held up by
 * what is checked again when it begins.
 */
export const errorsOf = (
  { isScheduled, reserve, kind }: Pick<ScheduleDraft, 'isScheduled' | 'reserve'> & { kind: 'pix' | 'crypto' },
  errors: readonly WithdrawalErrorCode[],
): WithdrawalErrorCode[] =>
  isScheduled && kind === 'pix'
    ? errors.filter((code) => !OF_ITS_MOMENT.includes(code) || (reserve && code === 'insufficient_funds'))
    : [...errors];
