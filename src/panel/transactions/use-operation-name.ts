import { useTranslations } from 'next-intl';

/**
 * Returns the words for a call to a provider by its name in the code, which stands for itself where
 * the page is older than the service and does not know it.
 */
export function useOperationName(): (operation: string) => string {
  const t = useTranslations('panel.transactions.calls');
  return (operation) => {
    const key = `operations.${operation}` as 'operations.createCharge';
    return t.has(key) ? t(key) : operation;
  };
}
