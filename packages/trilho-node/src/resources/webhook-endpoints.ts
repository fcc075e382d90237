import type { PostOptions, RequestOptions } from '../request.ts';
import type { Transport } from '../transport.ts';
import type {
  CreatedWebhookEndpoint,
  CreateWebhookEndpointParams,
  RemovedWebhookEndpoint,
  RotateWebhookEndpointSecretParams,
  TestedWebhookEndpoint,
  UpdateWebhookEndpointParams,
  WebhookEndpoint,
} from '../types.ts';

/**
 * Endpoints that get events, besides the webhooks of the panel. All of it needs `webhooks:write`.
 */
export class WebhookEndpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the account's endpoints, the oldest first. */
  async list(options?: RequestOptions): Promise<WebhookEndpoint[]> {
    return (await this.#transport.request('GET /webhook-endpoints', {}, options)).data;
  }

  /**
   * Makes an endpoint. Its `secret`, which verifies the events it gets (`verifyWebhook`), is in the
   * first answer only: null when an earlier try with the same key made the endpoint.
   */
  async create(params: CreateWebhookEndpointParams, options?: PostOptions): Promise<CreatedWebhookEndpoint> {
    return (await this.#transport.request('POST /webhook-endpoints', { body: params }, options)).data;
  }

  /** Returns one endpoint. 404 `endpoint_not_found`. */
  async get(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return (await this.#transport.request('GET /webhook-endpoints/{endpointId}', { ids: [endpointId] }, options)).data;
  }

  /** Changes the fields that are given; the others stay as they are. */
  async update(
    endpointId: string,
    params: UpdateWebhookEndpointParams,
    options?: PostOptions,
  ): Promise<WebhookEndpoint> {
    const input = { ids: [endpointId], body: params };
    return (await this.#transport.request('POST /webhook-endpoints/{endpointId}', input, options)).data;
  }

  /** Removes an endpoint: nothing more is sent there, and waiting deliveries are given up. */
  async remove(endpointId: string, options?: PostOptions): Promise<RemovedWebhookEndpoint> {
    const input = { ids: [endpointId] };
    return (await this.#transport.request('POST /webhook-endpoints/{endpointId}/remove', input, options)).data;
  }

  /**
   * Gives an endpoint a new secret, which only this answer has. The secret before it signs too for
   * a day, unless `overlap` is false. 409 `secret_overlap`.
   */
  async rotateSecret(
    endpointId: string,
    params: RotateWebhookEndpointSecretParams = {},
    options?: PostOptions,
  ): Promise<CreatedWebhookEndpoint> {
    const input = { ids: [endpointId], body: params };
    return (await this.#transport.request('POST /webhook-endpoints/{endpointId}/rotate-secret', input, options)).data;
  }

  /** Sends a test event to an endpoint, once. 409 `endpoint_disabled`. */
  async test(endpointId: string, options?: PostOptions): Promise<TestedWebhookEndpoint> {
    const input = { ids: [endpointId] };
    return (await this.#transport.request('POST /webhook-endpoints/{endpointId}/test', input, options)).data;
  }
}
