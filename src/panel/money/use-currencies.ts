import { api } from '#panel/api.tsx';

/** The provider's list of currencies changes rarely. */
const CURRENCIES_FRESH_MS = 60_000;

/**
 * The offered currencies. `orDefault` returns the chosen one or, before a choice, the account's
 * default or the first.
 */
export function useCurrencies() {
  const { data, error } = api.currencies.list.useQuery({}, { staleTime: CURRENCIES_FRESH_MS });
  const offered = data?.data ?? [];
  const byDefault = (offered.find((one) => one.is_default) ?? offered[0])?.currency ?? '';
  return { offered, error, orDefault: (chosen: string): string => chosen || byDefault };
}
