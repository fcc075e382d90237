import { useTranslations } from 'next-intl';
import { useAccountNow } from '#panel/shell/use-panel.ts';
import { roughly } from './status-style.ts';

/** How often durations such as "for 2 h" are computed again. */
const TICK_MS = 60_000;

/** Returns how long ago a moment was by the account's time, in its largest unit: `2 h`. */
export function useSpan(): (since: string) => string {
  const t = useTranslations('panel.transactions.duration');
  const now = useAccountNow(TICK_MS);
  return (since) => {
    const { unit, count } = roughly(now.getTime() - Date.parse(since));
    return t(unit, { count });
  };
}
