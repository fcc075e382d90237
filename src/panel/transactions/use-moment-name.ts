import { useTranslations } from 'next-intl';
import type { ListedType } from '#domain/transactions/transaction-states.ts';
import { isMoneyOut } from './status-style.ts';

/**
 * Returns the name of a moment of a transaction; for some it depends on what the transaction is.
 */
export function useMomentName(type: ListedType): (what: string) => string {
  const t = useTranslations('panel.transactions.timeline');
  const kind = isMoneyOut(type) ? 'out' : type === 'crypto_in' ? 'invoice' : 'in';
  return (what) => {
    for (const key of [`${kind}.${what}`, what]) {
      if (t.has(key as 'created')) return t(key as 'created');
    }
    return what;
  };
}
