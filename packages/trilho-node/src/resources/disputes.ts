import { Pages } from '../pages.ts';
import type { PostOptions, RequestOptions } from '../request.ts';
import type { Transport } from '../transport.ts';
import type { AnswerDisputeParams, Dispute, DisputeItem, DisputeList, ListDisputesParams } from '../types.ts';

/** Payments that their payers contest (MED). */
export class Disputes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A list, newest first: `for await` gives all that match. */
  list(params: ListDisputesParams = {}, options?: RequestOptions): Pages<DisputeItem, DisputeList> {
    return new Pages(async (cursor) => {
      const query = { ...params, ...(cursor !== undefined && { cursor }) };
      const answer = await this.#transport.request('GET /payments/disputes', { query }, options);
      return { items: answer.data, nextCursor: answer.next_cursor, answer };
    }, params.cursor);
  }

  /** One dispute with its answer. 404 `dispute_not_found`. */
  async get(disputeId: string, options?: RequestOptions): Promise<Dispute> {
    return (await this.#transport.request('GET /payments/disputes/{disputeId}', { ids: [disputeId] }, options)).data;
  }

  /**
   * Accepts the dispute, or defends the payment, once and before `answer_by`. 400
   * `dispute_answered`, `dispute_too_late`.
   */
  async answer(disputeId: string, params: AnswerDisputeParams, options?: PostOptions): Promise<Dispute> {
    const input = { ids: [disputeId], body: params };
    return (await this.#transport.request('POST /payments/disputes/{disputeId}/answer', input, options)).data;
  }
}
