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

/** Where events go, besides the webhooks of the panel. All of it needs `webhooks:write`. */
export class WebhookEndpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Those that the account has, the oldest first. */
  async list(options?: RequestOptions): Promise<WebhookEndpoint[]> {
    return (await this.#transport.request('GET /webhook-endpoints', {}, options)).data;
  }

  /**
   * Makes one. Its `secret` verifies what it gets (`verifyWebhook`), and is shown this once: null
   * when an earlier try with the same key made it.
   */
  async create(params: CreateWebhookEndpointParams, options?: PostOptions): Promise<CreatedWebhookEndpoint> {
    return (await this.#transport.request('POST /webhook-endpoints', { body: params }, options)).data;
  }

  /** 404 `endpoint_not_found`. */
  async get(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return (await this.#transport.request('GET /webhook-endpoints/{endpointId}', { ids: [endpointId] }, options)).data;
  }

  /** Changes what is sent; the rest stays as it is. */
  async update(
    endpointId: string,
    params: UpdateWebhookEndpointParams,
    options?: PostOptions,
  ): Promise<WebhookEndpoint> {
    const input = { ids: [endpointId], body: params };
    return (await this.#transport.request('POST /webhook-endpoints/{endpointId}', input, options)).data;
  }

  /** Nothing more is sent there, and what waited is given up. */
  async remove(endpointId: string, options?: PostOptions): Promise<RemovedWebhookEndpoint> {
    const input = { ids: [endpointId] };
    return (await this.#transport.request('POST /webhook-endpoints/{endpointId}/remove', input, options)).data;
  }

  /**
   * Gives it a new secret, shown this once; the one before signs too for a day, unless `overlap` is
   * false. 409 `secret_overlap`.
   */
  async rotateSecret(
    endpointId: string,
    params: RotateWebhookEndpointSecretParams = {},
    options?: PostOptions,
  ): Promise<CreatedWebhookEndpoint> {
    const input = { ids: [endpointId], body: params };
    return (await this.#transport.request('POST /webhook-endpoints/{endpointId}/rotate-secret', input, options)).data;
  }

  /** Sends it an event about nothing, once. 409 `endpoint_disabled`. */
  async test(endpointId: string, options?: PostOptions): Promise<TestedWebhookEndpoint> {
    const input = { ids: [endpointId] };
    return (await this.#transport.request('POST /webhook-endpoints/{endpointId}/test', input, options)).data;
  }
}
