import { useTranslations } from 'next-intl';
import { useAccountNow } from '#panel/shell/use-panel.ts';
import { roughly } from '#panel/transactions/status-style.ts';

/** How often the time that is left is computed again. */
const TICK_MS = 30_000;

/**
 * Returns the account's time until an instant: in milliseconds, negative once it is over, and in
 * words ("1 dia").
 */
export function useTimeLeft(): (until: string) => { ms: number; text: string } {
  const now = useAccountNow(TICK_MS);
  const span = useTranslations('panel.transactions.duration');
  return (until) => {
    const ms = Date.parse(until) - now.getTime();
    const { unit, count } = roughly(ms);
    return { ms, text: span(unit, { count }) };
  };
}
