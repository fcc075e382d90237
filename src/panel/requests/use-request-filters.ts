import { useSearchParams } from 'next/navigation';
import { readRequestFilters } from './request-filters.ts';

/** As the address has them: a link shows the same, and Back goes back. */
type Parameter = 'chave' | 'metodo' | 'status' | 'texto' | 'requisicao';
type Changes = Partial<Record<Parameter, string | null>>;

/** Says in the browser's history that an entry was made by opening a request here, so that closing it may go back. */
const OPENED_HERE = 'openedFromRequests';

/** Which requests are shown, and which one is open. */
export function useRequestFilters() {
  const parameters = useSearchParams();
  const addressWith = (changes: Changes) => {
    const next = new URLSearchParams(parameters);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    return next.size > 0 ? `?${next}` : '?';
  };
  const filters = readRequestFilters(parameters);
  return {
    filters,
    filtered: filters.keyId !== null || filters.method !== null || filters.status !== null || filters.text !== '',
    open: parameters.get('requisicao'),
    addressOf: (id: string) => addressWith({ requisicao: id }),
    show: (id: string) => window.history.pushState({ [OPENED_HERE]: true }, '', addressWith({ requisicao: id })),
    close() {
      if (window.history.state?.[OPENED_HERE]) window.history.back();
      else window.history.replaceState(null, '', addressWith({ requisicao: null }));
    },
    filter: (changes: Changes) => window.history.replaceState(null, '', addressWith(changes)),
    clear: () =>
      window.history.replaceState(null, '', addressWith({ chave: null, metodo: null, status: null, texto: null })),
  };
}
