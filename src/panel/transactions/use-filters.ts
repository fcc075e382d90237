import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { usePanel } from '#panel/shell/use-panel.ts';
import { type Filters, readFilters, writeFilters } from './filters.ts';

/** The list's filters, which live in the address: a link keeps them, and Back leads to those before. */
export function useFilters() {
  const router = useRouter();
  const { href } = usePanel();
  const params = useSearchParams();
  const query = params.toString();
  const filters = useMemo(() => readFilters(new URLSearchParams(query)), [query]);
  return {
    filters,
    /** `quietly`: typing goes on, so Back leads to what was before it. */
    setFilters(next: Filters, { quietly = false } = {}) {
      const address = href(`/transacoes${writeFilters(next)}`);
      if (quietly) router.replace(address, { scroll: false });
      else router.push(address, { scroll: false });
    },
    /** The address of a transaction, or of the list, with the same filters. */
    addressOf: (id: string | null) => href(`/transacoes${id === null ? '' : `/${id}`}${writeFilters(filters)}`),
  };
}
