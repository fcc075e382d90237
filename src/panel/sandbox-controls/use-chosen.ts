import { useSearchParams } from 'next/navigation';

/** Which transaction the page is about, as the address has it. */
export function useChosen() {
  const parameters = useSearchParams();
  return {
    chosen: parameters.get('transacao'),
    choose(id: string | null) {
      const next = new URLSearchParams(parameters);
      if (id) next.set('transacao', id);
      else next.delete('transacao');
      window.history.replaceState(null, '', next.size > 0 ? `?${next}` : '?');
    },
  };
}
