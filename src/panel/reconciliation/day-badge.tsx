import { useTranslations } from 'next-intl';
import type { ReconciledDayView } from '#contract/reconciliation/reconciliation.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { DAY_TONES, dayStateOf } from './day-state.ts';

/** The outcome of the comparison of a day, as a badge. */
export function DayBadge({ day }: { day: ReconciledDayView }) {
  const t = useTranslations('panel.reconciliation');
  const state = dayStateOf(day);
  return <StatusBadge tone={DAY_TONES[state]} label={t(`states.${state}`)} hint={t(`hints.${state}`)} />;
}
