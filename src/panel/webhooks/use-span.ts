import { useNow, useTranslations } from 'next-intl';
import { roughly } from '#panel/transactions/status-style.ts';

/** How often "for 2 h" is counted again. */
const TICK_MS = 60_000;

/** How long ago a moment was, in its largest unit: `2 h`. */
export function useSpan(): (since: string) => string {
  const t = useTranslations('panel.transactions.duration');
  const now = useNow({ updateInterval: TICK_MS });
  return (since) => {
    const { unit, count } = roughly(now.getTime() - Date.parse(since));
    return t(unit, { count });
  };
}
