import { DELIVERY_STATUSES, TOPICS } from '#domain/webhooks/events.ts';

type Params = { get(name: string): string | null };

/** Which events an address shows; what it says and nobody knows is as if it said nothing. */
export const readLogFilters = (params: Params) => ({
  status: DELIVERY_STATUSES.find((one) => one === params.get('status')) ?? null,
  topic: TOPICS.find((one) => one === params.get('topico')) ?? null,
});

/** The filters as webhooks.deliveries takes them. */
export const deliveriesInput = ({ status, topic }: ReturnType<typeof readLogFilters>) => ({
  ...(status && { status }),
  ...(topic && { topic }),
});
