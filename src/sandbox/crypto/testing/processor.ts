/** The processor of a running sandbox, called over HTTP and through the adapter of the real one. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { parsePlisioCallback } from '#rails/crypto/parse-plisio-callback.ts';
import { createPlisioRail } from '#rails/crypto/plisio-rail.ts';
import type { CryptoInvoice, CryptoInvoiceRequest, CryptoRail } from '#rails/ports.ts';
import {
  type Answer,
  CRYPTO_KEY,
  createSandboxSetup,
  type Receiver,
  type RunningSandbox,
  type SandboxSetup,
  SOON,
  startReceiver,
} from '../../testing/running-sandbox.ts';

/** Fields that tests read one by one; the rest is compared as a whole. */
type PlisioBody = { status: string; data: Record<string, unknown> & { name: string; message: string; code: number } };

export type Processor = {
  setup: SandboxSetup;
  sandbox: RunningSandbox;
  receiver: Receiver;
  rail: CryptoRail;
  /** One call, with CRYPTO_KEY by default. */
  ask(
    path: string,
    params?: Record<string, string>,
    init?: RequestInit & { key?: string },
  ): Promise<{ status: number; body: PlisioBody }>;
  set(name: string, value: string): Promise<Answer>;
  pay(order: string, command?: object): Promise<{ status: number; body: Record<string, unknown> }>;
  confirm(order: string): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Creates an invoice through the adapter; 10 USDT_TRX for an hour by default. */
  invoice(request?: Partial<CryptoInvoiceRequest>): Promise<CryptoInvoice & { orderNumber: string }>;
  /** Returns the invoice as the adapter finds it now. */
  look(providerId: string): Promise<CryptoInvoice>;
  /** Waits until `count` callbacks have arrived in all, and returns their fields. */
  callbacks(count: number): Promise<Record<string, string>[]>;
  /** Whether the adapter accepts the callback at `index`. */
  isTrusted(index: number): boolean;
};

/**
 * Gives each test of the file a processor of its own; the returned object is filled before each.
 */
export function setUpProcessor(): Processor {
  const processor = {} as Processor;

  processor.ask = async (path, params = {}, { key = CRYPTO_KEY, ...init } = {}) => {
    const query = new URLSearchParams({ ...params, ...(key === '' ? {} : { api_key: key }) });
    const response = await fetch(`${processor.sandbox.url}/plisio/api/v1${path}?${query}`, init);
    return { status: response.status, body: (await response.json()) as PlisioBody };
  };
  processor.set = (name, value) => processor.sandbox.control('PUT', '/switches', { name, value });
  const control = async (path: string, order: string, command = {}) => {
    const { status, body } = await processor.sandbox.control('POST', path, { txid: uuidToTxid(order), ...command });
    return { status, body: { ...body } };
  };
  processor.pay = (order, command) => control('/pay', order, command);
  processor.confirm = (order) => control('/confirm', order);
  processor.invoice = async (request) => {
    const created = await processor.rail.createInvoice({
      orderNumber: randomUUID(),
      currency: 'USDT_TRX',
      units: 1_000_000_000n,
      title: 'Depósito nº 7',
      expiresInSeconds: 3600,
      callbackUrl: `${processor.receiver.url}/inbound`,
      ...request,
    });
    if (created.outcome !== 'done') throw new Error(created.reason);
    return { ...created.value, orderNumber: created.value.orderNumber ?? '' };
  };
  processor.look = async (providerId) => {
    const found = await processor.rail.findInvoice(providerId);
    if (found.outcome !== 'done' || !found.value) throw new Error(JSON.stringify(found));
    return found.value;
  };
  const bodies = () => processor.receiver.bodies;
  processor.callbacks = async (count) => {
    await vi.waitFor(() => expect(bodies()).toHaveLength(count), SOON);
    return bodies().map((body) => JSON.parse(body));
  };
  processor.isTrusted = (index) => parsePlisioCallback(bodies()[index] ?? '', CRYPTO_KEY) !== null;

  beforeEach(async () => {
    processor.setup = await createSandboxSetup();
    processor.sandbox = await processor.setup.startSandbox();
    processor.receiver = await startReceiver();
    processor.rail = createPlisioRail({
      name: 'sandbox-crypto',
      baseUrl: `${processor.sandbox.url}/plisio/api/v1`,
      apiKey: CRYPTO_KEY,
      clock: processor.setup.now,
      lostAfterMs: 5_000,
      callTimeoutMs: 2_000,
    });
  });
  afterEach(async () => {
    await processor.setup.close();
    await processor.receiver.close();
    await processor.rail.close();
  });
  return processor;
}
