import { useTranslations } from 'next-intl';
import type { ListedDelivery } from '#contract/webhooks/webhooks.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';

/**
 * A delivery's state: icon, the word of its status, and colour; its tooltip says what comes next,
 * and when.
 */
export function DeliveryState({ delivery }: { delivery: ListedDelivery }) {
  const t = useTranslations('panel.webhooks.states');
  const { instant } = useFormats();
  const { tone, hint } = styleOf(delivery);
  const at = delivery.next_try_at ?? delivery.finished_at;
  return <StatusBadge tone={tone} label={t(delivery.status)} hint={t(hint, { at: at ? instant(at) : '' })} />;
}

function styleOf({ status, attempts, endpoint_off: off, transaction_id: transactionId }: ListedDelivery) {
  if (status === 'delivered') return { tone: 'ok', hint: 'deliveredHint' } as const;
  if (status === 'held') return { tone: 'neutral', hint: off ? 'heldHint' : 'heldReadyHint' } as const;
  if (status === 'failed') {
    const hint = off ? 'offHint' : transactionId === null ? 'failedTestHint' : 'failedHint';
    return { tone: 'bad', hint } as const;
  }
  return attempts === 0
    ? ({ tone: 'wait', hint: 'sendingHint' } as const)
    : ({ tone: 'warn', hint: 'retryingHint' } as const);
}
