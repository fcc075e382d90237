import { useTranslations } from 'next-intl';
import type { DisputeState } from '#domain/disputes/dispute-states.ts';
import type { Tone } from '#panel/shell/status-badge.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { disputeStyle } from './dispute-state.ts';
import { useTimeLeft } from './use-time-left.ts';

type ShownDispute = { state: DisputeState; answer_by: string };

/** Returns a case's state in words, and what comes next, with the time that is left. */
export function useDisputeText(): (dispute: ShownDispute) => { tone: Tone; label: string; hint: string } {
  const t = useTranslations('panel.disputes.state');
  const formats = useFormats();
  const timeLeft = useTimeLeft();
  const { may } = usePanel();
  return ({ state, answer_by: answerBy }) => {
    const left = timeLeft(answerBy);
    const { tone, hint } = disputeStyle(state, { msLeft: left.ms, mayAnswer: may('disputes.answer') });
    return {
      tone,
      label: t(`words.${state}`),
      hint: t(`hints.${hint}`, { at: formats.instant(answerBy), time: left.text }),
    };
  };
}
