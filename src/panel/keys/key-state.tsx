import { useTranslations } from 'next-intl';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { StatusBadge, type Tone } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { type ShownState, shownState } from './key-text.ts';

const TONES: Record<ShownState, Tone> = {
  active: 'ok',
  soon: 'warn',
  retiring: 'wait',
  replaced: 'neutral',
  expired: 'neutral',
  revoked: 'bad',
};

/** A key's state, and until or since when. */
export function KeyState({ apiKey }: { apiKey: ApiKeyOutput }) {
  const t = useTranslations('panel.keys.states');
  const { instant } = useFormats();
  const state = shownState(apiKey, Date.now());
  const end = state === 'revoked' ? apiKey.revoked_at : apiKey.expires_at;
  const at = end === null ? '' : instant(end);
  const hint = state === 'active' && end !== null ? t('active.hintUntil', { at }) : t(`${state}.hint`, { at });
  return <StatusBadge tone={TONES[state]} label={t(`${state}.label`)} hint={hint} />;
}
