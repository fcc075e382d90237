import { useSearchParams } from 'next/navigation';
import type { ListedDelivery } from '#contract/webhooks/webhooks.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import { readLogFilters } from './log-filters.ts';

/** As the address has them: a link shows the same, and Back goes back. */
type Parameter = 'status' | 'topico' | 'entrega';

/** Says in the browser's history that an entry was made by opening a delivery here, so that closing it may go back. */
const OPENED_HERE = 'openedFromLog';

/**
 * Which events the log shows, and which one is open. The address is changed without asking the
 * server for the page again: nothing on it but the log depends on it.
 */
export function useLogState() {
  const parameters = useSearchParams();
  const addressWith = (changes: Partial<Record<Parameter, string | null>>) => {
    const next = new URLSearchParams(parameters);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    return next.size > 0 ? `?${next}` : '?';
  };
  const replaceWith = (changes: Parameters<typeof addressWith>[0]) =>
    window.history.replaceState(null, '', addressWith(changes));
  return {
    ...readLogFilters(parameters),
    open: parameters.get('entrega'),
    addressOf: (deliveryId: string) => addressWith({ entrega: deliveryId }),
    show: (deliveryId: string) =>
      window.history.pushState({ [OPENED_HERE]: true }, '', addressWith({ entrega: deliveryId })),
    close() {
      if (window.history.state?.[OPENED_HERE]) window.history.back();
      else replaceWith({ entrega: null });
    },
    filter: ({ status, topic }: { status?: ListedDelivery['status'] | null; topic?: Topic | null }) =>
      replaceWith({ ...(status !== undefined && { status }), ...(topic !== undefined && { topico: topic }) }),
  };
}
