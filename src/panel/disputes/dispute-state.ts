import type { DisputeState } from '#domain/disputes/dispute-states.ts';
import type { Tone } from '#panel/shell/status-badge.tsx';

export const DISPUTE_TONES: Record<DisputeState, Tone> = {
  open: 'warn',
  answered: 'wait',
  won: 'ok',
  lost: 'bad',
  cancelled: 'ok',
  returned: 'bad',
};

export const isEnded = (state: DisputeState): boolean =>
  state === 'won' || state === 'cancelled' || state === 'returned';

/**
 * The tone of a case's state, and the name of its hint. `late`: the case waits for an answer, but
 * no time is left (`msLeft`). `deadline`: it waits, for others than this member.
 */
export function disputeStyle(
  state: DisputeState,
  { msLeft, mayAnswer }: { msLeft: number; mayAnswer: boolean },
): { tone: Tone; hint: DisputeState | 'late' | 'deadline' } {
  const tone = DISPUTE_TONES[state];
  if (state !== 'open') return { tone, hint: state };
  return { tone, hint: msLeft <= 0 ? 'late' : mayAnswer ? 'open' : 'deadline' };
}

type Ordered = { state: DisputeState; answer_by: string };

/** Compares cases: those that wait for the merchant first, and of these the earliest deadline. */
export const byUrgency = (one: Ordered, other: Ordered): number =>
  Number(other.state === 'open') - Number(one.state === 'open') ||
  Date.parse(one.answer_by) - Date.parse(other.answer_by);
