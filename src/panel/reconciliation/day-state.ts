import type { ReconciledDayView } from '#contract/reconciliation/reconciliation.ts';
import type { Tone } from '#panel/shell/status-badge.tsx';

type State = 'agrees' | 'differs' | 'known' | 'unreadable' | 'waiting' | 'underway';
type Compared = Pick<ReconciledDayView, 'checked_at' | 'whole' | 'unexplained' | 'unreadable' | 'acknowledged'>;

/** The outcome of the comparison of a day. */
export function dayStateOf({ checked_at: checkedAt, whole, unexplained, unreadable, acknowledged }: Compared): State {
  if (checkedAt === null) return 'waiting';
  if (acknowledged) return 'known';
  if (Number(unexplained) > 0) return 'differs';
  if (unreadable > 0) return 'unreadable';
  return whole ? 'agrees' : 'underway';
}

export const DAY_TONES: Readonly<Record<State, Tone>> = {
  agrees: 'ok',
  differs: 'bad',
  known: 'neutral',
  unreadable: 'warn',
  waiting: 'neutral',
  underway: 'wait',
};
