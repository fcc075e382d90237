import { createLoader, type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import { DELIVERY_STATUSES, TOPICS } from '#domain/webhooks/events.ts';

/** Which events an address shows; unknown values are ignored. */
export const LOG_ADDRESS = {
  status: parseAsStringLiteral(DELIVERY_STATUSES),
  topico: parseAsStringLiteral(TOPICS),
};

export const loadLogFilters = createLoader(LOG_ADDRESS);

/** The filters as webhooks.deliveries takes them. */
export const deliveriesInput = ({ status, topico }: inferParserType<typeof LOG_ADDRESS>) => ({
  ...(status && { status }),
  ...(topico && { topic: topico }),
});
