import type { DisputeState } from '#domain/disputes/dispute-states.ts';
import type { Tone } from '#panel/shell/status-badge.tsx';

const TONES: Record<DisputeState, Tone> = {
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
 * How a case's state looks, and what is said of it; `late`: it waits for an answer that nobody
 * takes any more.
 */
export function disputeStyle(state: DisputeState, msLeft: number): { tone: Tone; hint: DisputeState | 'late' } {
  return { tone: TONES[state], hint: state === 'open' && msLeft <= 0 ? 'late' : state };
}

type Ordered = { state: DisputeState; answer_by: string };

/** Cases that wait for the merchant first, the one whose time ends first at the top. */
export const byUrgency = (one: Ordered, other: Ordered): number =>
  Number(other.state === 'open') - Number(one.state === 'open') ||
  Date.parse(one.answer_by) - Date.parse(other.answer_by);
