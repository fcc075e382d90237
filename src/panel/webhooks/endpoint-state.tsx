import { useTranslations } from 'next-intl';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useSpan } from '#panel/transactions/use-span.ts';

/**
 * The state of a destination in words: it takes its events, since when it does not, or that there
 * is none.
 */
export function EndpointState({ endpoint }: { endpoint: EndpointOutput }) {
  const t = useTranslations('panel.webhooks.endpoints.states');
  const since = useSpan();
  const { url, called, waiting, held, held_is_more: isMore } = endpoint;
  const { disabled_at: disabledAt, disabled_reason: reason, failing_since: failingSince } = endpoint;
  // The service counts up to a maximum; at it the text says "more than" one less.
  const count = isMore ? held - 1 : held;
  if (url === null && held > 0) {
    const label = t(isMore ? 'noneHeldMore' : 'noneHeld', { count });
    return <StatusBadge tone="neutral" label={label} hint={t('noneHeldHint')} />;
  }
  if (url === null) return <StatusBadge tone="neutral" label={t('none')} hint={t('noneHint')} />;
  if (disabledAt !== null) {
    const name = held === 0 ? 'disabled' : isMore ? 'disabledHeldMore' : 'disabledHeld';
    const label = t(name, { since: since(disabledAt), count });
    return <StatusBadge tone="bad" label={label} hint={t(reason === 'failing' ? 'givenUpHint' : 'disabledHint')} />;
  }
  if (failingSince !== null) {
    const label = t('failing', { since: since(failingSince), count: waiting });
    return <StatusBadge tone="warn" label={label} hint={t('failingHint')} />;
  }
  if (held > 0) {
    return <StatusBadge tone="neutral" label={t(isMore ? 'heldMore' : 'held', { count })} hint={t('heldHint')} />;
  }
  if (!called) return <StatusBadge tone="neutral" label={t('unused')} hint={t('unusedHint')} />;
  return <StatusBadge tone="ok" label={t('fine')} hint={t('fineHint')} />;
}
