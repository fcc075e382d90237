import { deepStrictEqual } from 'node:assert';
import type { Request } from 'autocannon';
import type { Operation } from './operations.ts';

/** Replaces what differs from call to call: ids, instants, codes, and addresses with an id. */
const SHAPE_ONLY =
  /^(transaction_id|txid|reference_code|qr_code|payment_url|qr_code_(svg|png)_url|expiration_date|created_at)$/;

/**
 * Throws when service and baseline do not answer the same: then they do not do the same work
 * either.
 */
export async function assertSameAnswers(
  serviceUrl: string,
  baselineUrl: string,
  operations: readonly Operation[],
): Promise<void> {
  for (const { name, requests } of operations) {
    const [request] = requests;
    if (!request) continue;
    const [service, baseline] = [await send(serviceUrl, request), await send(baselineUrl, request)];
    const created = name === 'charge creation';
    deepStrictEqual(created ? shapeOf(baseline) : baseline, created ? shapeOf(service) : service, name);
  }
}

/** Sends a request. Returns the answer's body, and throws unless the status is 200. */
export async function send(url: string, { path, ...request }: Request): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, request);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${request.method} ${url}${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

function shapeOf(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (SHAPE_ONLY.test(name) ? typeof value : value)));
}
