import { useTranslations } from 'next-intl';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useSpan } from './use-span.ts';

/**
 * How a destination does, in words: it takes its events, since when it does not, or that there is
 * none.
 */
export function EndpointState({ endpoint }: { endpoint: EndpointOutput }) {
  const t = useTranslations('panel.webhooks.endpoints.states');
  const span = useSpan();
  const { url, called, waiting, held, disabled_at: disabledAt, failing_since: failingSince } = endpoint;
  const isMore = endpoint.held_is_more;
  // Counted up to a maximum: with that many there may be more.
  const count = isMore ? held - 1 : held;
  if (url === null && held > 0)
    return (
      <StatusBadge tone="neutral" label={t(isMore ? 'noneHeldMore' : 'noneHeld', { count })} hint={t('noneHeldHint')} />
    );
  if (url === null) return <StatusBadge tone="neutral" label={t('none')} hint={t('noneHint')} />;
  if (disabledAt !== null) {
    const since = span(disabledAt);
    const label =
      held > 0 ? t(isMore ? 'disabledHeldMore' : 'disabledHeld', { since, count }) : t('disabled', { since });
    return <StatusBadge tone="bad" label={label} hint={t('disabledHint')} />;
  }
  if (failingSince !== null) {
    return (
      <StatusBadge
        tone="warn"
        label={t('failing', { since: span(failingSince), count: waiting })}
        hint={t('failingHint')}
      />
    );
  }
  if (held > 0)
    return <StatusBadge tone="neutral" label={t(isMore ? 'heldMore' : 'held', { count })} hint={t('heldHint')} />;
  if (!called) return <StatusBadge tone="neutral" label={t('unused')} hint={t('unusedHint')} />;
  return <StatusBadge tone="ok" label={t('fine')} hint={t('fineHint')} />;
}
