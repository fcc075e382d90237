'use client';

import { useTranslations } from 'next-intl';
import type { ListedDelivery } from '#contract/webhooks.ts';
import { useInstant } from '#panel/keys/use-instant.ts';
import { StatusBadge, type Tone } from '#panel/shell/status-badge.tsx';

/** A delivery's state: icon, word and colour; its tooltip says what comes next, and when. */
export function DeliveryState({ delivery }: { delivery: ListedDelivery }) {
  const t = useTranslations('panel.webhooks.states');
  const instant = useInstant();
  const { tone, word, hint } = lookOf(delivery);
  const at = delivery.next_try_at ?? delivery.finished_at;
  return <StatusBadge tone={tone} label={t(word)} hint={t(hint, { at: at ? instant(at) : '' })} />;
}

type Look = {
  tone: Tone;
  word: 'delivered' | 'failed' | 'held' | 'sending' | 'retrying';
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

export function lookOf(delivery: ListedDelivery): Look {
  const { status, attempts, endpoint_off: off, transaction_id: transactionId } = delivery;
  if (status === 'delivered') return { tone: 'ok', word: 'delivered', hint: 'deliveredHint' };
  if (status === 'failed') {
    const hint = off ? 'offHint' : transactionId === null ? 'failedTestHint' : 'failedHint';
    return { tone: 'bad', word: 'failed', hint };
  }
  if (status === 'held') return { tone: 'neutral', word: 'held', hint: off ? 'heldHint' : 'heldReadyHint' };
  if (attempts === 0) return { tone: 'wait', word: 'sending', hint: 'sendingHint' };
  return { tone: 'warn', word: 'retrying', hint: 'retryingHint' };
}
