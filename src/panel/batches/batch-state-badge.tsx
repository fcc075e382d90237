import { useTranslations } from 'next-intl';
import type { BatchState } from '#domain/withdrawals/batch-state.ts';
import { StatusBadge, type Tone } from '#panel/shell/status-badge.tsx';

const TONES: Record<BatchState, Tone> = {
  pending_approval: 'wait',
  expired: 'neutral',
  declined: 'neutral',
  running: 'wait',
  done: 'neutral',
};

/** The state of a batch, and what comes next. */
export function BatchStateBadge({ state }: { state: BatchState }) {
  const t = useTranslations('panel.batches');
  return <StatusBadge tone={TONES[state]} label={t(`states.${state}`)} hint={t(`stateHints.${state}`)} />;
}
