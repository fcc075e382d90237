'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import type { ListedDelivery } from '#contract/webhooks.ts';
import { TOPICS, type Topic } from '#domain/events.ts';

export const STATUSES: readonly ListedDelivery['status'][] = ['pending', 'delivered', 'failed'];

/** As the address has them: a link shows the same, and Back goes back. */
type Parameter = 'status' | 'topico' | 'entrega';

/** Which events the log shows, and which one is open. What the address says and nobody knows is as if it said nothing. */
export function useLogState() {
  const router = useRouter();
  const parameters = useSearchParams();
  const addressWith = (changes: Partial<Record<Parameter, string | null>>) => {
    const next = new URLSearchParams(parameters);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    return next.size > 0 ? `?${next}` : '?';
  };
  const status = STATUSES.find((one) => one === parameters.get('status')) ?? null;
  const topic = TOPICS.find((one) => one === parameters.get('topico')) ?? null;
  return {
    status,
    topic,
    open: parameters.get('entrega'),
    addressOf: (deliveryId: string) => addressWith({ entrega: deliveryId }),
    show: (deliveryId: string) => router.push(addressWith({ entrega: deliveryId }), { scroll: false }),
    close: () => router.replace(addressWith({ entrega: null }), { scroll: false }),
    filter: (changes: { status?: ListedDelivery['status'] | null; topic?: Topic | null }) =>
      router.replace(
        addressWith({
          ...('status' in changes && { status: changes.status ?? null }),
          ...('topic' in changes && { topico: changes.topic ?? null }),
        }),
        { scroll: false },
      ),
  };
}
