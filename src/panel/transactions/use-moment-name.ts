import { useTranslations } from 'next-intl';
import type { ListedType } from '#domain/transactions/transaction-states.ts';
import { isMoneyOut } from './status-style.ts';

/** What a moment in a transaction's time is called; of some the direction of the money matters. */
export function useMomentName(type: ListedType): (what: string) => string {
  const t = useTranslations('panel.transactions.timeline');
  const side = isMoneyOut(type) ? 'out' : 'in';
  return (what) => {
    for (const key of [`${side}.${what}`, what]) {
      if (t.has(key as 'created')) return t(key as 'created');
    }
    return what;
  };
}
