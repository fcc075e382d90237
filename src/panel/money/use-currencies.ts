import { api } from '#panel/api.tsx';

/** The provider's list changes with its contract, not by the second. */
const CURRENCIES_FRESH_MS = 60_000;

/** What is offered; before the member has chosen one, the account's holds, or the first. */
export function useCurrencies() {
  const { data, error } = api.currencies.list.useQuery({}, { staleTime: CURRENCIES_FRESH_MS });
  const offered = data?.data ?? [];
  const byDefault = (offered.find((one) => one.is_default) ?? offered[0])?.currency ?? '';
  return { offered, error, orDefault: (chosen: string): string => chosen || byDefault };
}
