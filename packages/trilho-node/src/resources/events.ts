import { Pages } from '../pages.ts';
import type { PostOptions, RequestOptions } from '../request.ts';
import type { Transport } from '../transport.ts';
import type {
  Event,
  EventItem,
  EventList,
  EventReplay,
  HeldEventsSending,
  ListEventsParams,
  ReplayEventsParams,
  ResendEventParams,
  ResentEvent,
  SendHeldEventsParams,
} from '../types.ts';

/** Events of the account, and whether your system received them. */
export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A list, newest first: `for await` gives all that match. */
  list(params: ListEventsParams = {}, options?: RequestOptions): Pages<EventItem, EventList> {
    return new Pages(async (cursor) => {
      const query = { ...params, ...(cursor !== undefined && { cursor }) };
      const answer = await this.#transport.request('GET /events', { query }, options);
      return { items: answer.data, nextCursor: answer.next_cursor, answer };
    }, params.cursor);
  }

  /** One event with its exact body and its deliveries. 404 `event_not_found`. */
  async get(eventId: string, options?: RequestOptions): Promise<Event> {
    return (await this.#transport.request('GET /events/{eventId}', { ids: [eventId] }, options)).data;
  }

  /**
   * Sends an event again, with the same `webhook-id`, to its own destination, or with `endpoint_id`
   * to this one of `webhookEndpoints`.
   */
  async resend(eventId: string, options: PostOptions & ResendEventParams = {}): Promise<ResentEvent> {
    const { endpoint_id, ...rest } = options;
    const input = { ids: [eventId], ...(endpoint_id && { body: { endpoint_id } }) };
    return (await this.#transport.request('POST /events/{eventId}/resend', input, rest)).data;
  }

  /**
   * Sends the events of a period again, oldest first. A call covers a part of them: while
   * `next_cursor` is not null, call again with it as `cursor`.
   */
  async replay(params: ReplayEventsParams, options?: PostOptions): Promise<EventReplay> {
    const { data, next_cursor } = await this.#transport.request('POST /events/replay/start', { body: params }, options);
    return { ...data, next_cursor };
  }

  /** Sends what was held while the webhook of a topic was off. 409 `webhook_disabled`. */
  async sendHeld(params: SendHeldEventsParams, options?: PostOptions): Promise<HeldEventsSending> {
    return (await this.#transport.request('POST /events/held/send', { body: params }, options)).data;
  }
}
