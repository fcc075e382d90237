import { useTranslations } from 'next-intl';
import type { ListedType } from '#domain/transactions/transaction-states.ts';
import { isMoneyOut } from './status-style.ts';

/**
 * Returns the name of a moment of a transaction; for some it depends on the direction of the money.
 */
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
