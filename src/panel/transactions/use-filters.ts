import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { usePanel } from '#panel/shell/use-panel.ts';
import { FILTER_KEYS, FILTERS, type Filters, oneSpan, writeFilters } from './filters.ts';

/**
 * The list's filters, which live in the address: a link keeps them, and Back leads to those before.
 */
export function useFilters() {
  const { href } = usePanel();
  const [address] = useQueryStates(FILTERS, { urlKeys: FILTER_KEYS });
  const filters = useMemo(() => oneSpan(address), [address]);
  return {
    filters,
    /**
     * Sets the filters, in one order however they came. `quietly`: typing continues, so Back leads
     * to what was before it.
     */
    setFilters(next: Filters, { quietly = false } = {}) {
      const target = href(`/transacoes${writeFilters(next)}`);
      window.history[quietly ? 'replaceState' : 'pushState'](null, '', target);
    },
    /** The address of a transaction, or of the list, with the same filters. */
    addressOf: (id: string | null) => href(`/transacoes${id === null ? '' : `/${id}`}${writeFilters(filters)}`),
  };
}
