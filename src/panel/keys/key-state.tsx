import { useTranslations } from 'next-intl';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { serviceNow } from '#panel/connection/service-clock.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';

/** A key that ends within this time should be rotated now. */
const SOON_MS = 7 * 86_400_000;

/** `soon` is an active key that ends soon. */
const TONES = {
  active: 'ok',
  soon: 'warn',
  retiring: 'wait',
  replaced: 'neutral',
  expired: 'neutral',
  revoked: 'bad',
} as const;

/** A key's state, and until or since when. */
export function KeyState({ apiKey }: { apiKey: ApiKeyOutput }) {
  const t = useTranslations('panel.keys.states');
  const { instant } = useFormats();
  const { expires_at: expiresAt, revoked_at: revokedAt } = apiKey;
  const endsSoon = expiresAt !== null && Date.parse(expiresAt) - serviceNow().getTime() < SOON_MS;
  const state = apiKey.state === 'active' && endsSoon ? 'soon' : apiKey.state;
  const end = state === 'revoked' ? revokedAt : expiresAt;
  const at = end === null ? '' : instant(end);
  const hint = state === 'active' && end !== null ? t('active.hintUntil', { at }) : t(`${state}.hint`, { at });
  return <StatusBadge tone={TONES[state]} label={t(`${state}.label`)} hint={hint} />;
}
