import { useFormatter, useTranslations } from 'next-intl';

const PARTS = ['charges', 'invoices', 'withdrawals', 'refunds', 'disputes'] as const;

/** Returns what is under way, `2 cobranças e 1 saque`; empty where nothing is. */
export function useInFlightText(): (counts: Partial<Record<(typeof PARTS)[number], number>>) => string {
  const t = useTranslations('panel.providers');
  const { list } = useFormatter();
  return (counts) =>
    list(PARTS.filter((part) => (counts[part] ?? 0) > 0).map((part) => t(part, { count: counts[part] ?? 0 })));
}
