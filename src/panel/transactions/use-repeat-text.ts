import { useTranslations } from 'next-intl';
import type { RepeatEvery } from '#domain/withdrawals/payout-schedule.ts';
import { useFormats } from '#panel/use-formats.ts';

/** How often a withdrawal is sent: `count` times in all, or up to the day `until`. */
export type ShownRepeat = { every: RepeatEvery; count: number | null; until: string | null };

/** Returns how often a withdrawal is sent, in words: `todo mês, 3 vezes`. */
export function useRepeatText(): (repeat: ShownRepeat) => string {
  const t = useTranslations('panel.transactions.repeat');
  const { day } = useFormats();
  return ({ every, count, until }) =>
    until === null ? t('times', { every, count: count ?? 0 }) : t('until', { every, until: day(until) });
}
