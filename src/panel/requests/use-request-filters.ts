'use client';

import { useSearchParams } from 'next/navigation';
import { REQUEST_METHODS, STATUS_CLASSES } from '#domain/request-log.ts';

/** As the address has them: a link shows the same, and Back goes back. */
type Parameter = 'chave' | 'metodo' | 'status' | 'texto' | 'requisicao';
type Changes = Partial<Record<Parameter, string | null>>;

/** Says in the browser's history that an entry was made by opening a request here, so that closing it may go back. */
const OPENED_HERE = 'openedFromRequests';

/** Which requests are shown, and which one is open. What the address says and nobody knows is as if it said nothing. */
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
  const key = parameters.get('chave');
  const filters = {
    keyId: key && /^[0-9a-f-]{36}$/i.test(key) ? key : null,
    method: REQUEST_METHODS.find((one) => one === parameters.get('metodo')) ?? null,
    status: STATUS_CLASSES.find((one) => one === parameters.get('status')) ?? null,
    text: parameters.get('texto') ?? '',
  };
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
