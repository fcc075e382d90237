import { useTranslations } from 'next-intl';
import type { ListedDelivery } from '#contract/webhooks/webhooks.ts';
import { StatusBadge, type Tone } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';

/**
 * A delivery's state: icon, the word of its status, and colour; its tooltip says what comes next,
 * and when.
 */
export function DeliveryState({ delivery }: { delivery: ListedDelivery }) {
  const t = useTranslations('panel.webhooks.states');
  const { instant } = useFormats();
  const { tone, hint } = lookOf(delivery);
  const at = delivery.next_try_at ?? delivery.finished_at;
  return <StatusBadge tone={tone} label={t(delivery.status)} hint={t(hint, { at: at ? instant(at) : '' })} />;
}

type Look = {
  tone: Tone;
  hint:
    | 'heldHint'
    | 'heldReadyHint'
    | 'deliveredHint'
    | 'failedHint'
    | 'failedTestHint'
    | 'offHint'
    | 'sendingHint'
    | 'retryingHint';
};

function lookOf(delivery: ListedDelivery): Look {
  const { status, attempts, endpoint_off: off, transaction_id: transactionId } = delivery;
  if (status === 'delivered') return { tone: 'ok', hint: 'deliveredHint' };
  if (status === 'failed') {
    const hint = off ? 'offHint' : transactionId === null ? 'failedTestHint' : 'failedHint';
    return { tone: 'bad', hint };
  }
  if (status === 'held') return { tone: 'neutral', hint: off ? 'heldHint' : 'heldReadyHint' };
  if (attempts === 0) return { tone: 'wait', hint: 'sendingHint' };
  return { tone: 'warn', hint: 'retryingHint' };
}
