import type { OperationName, RequestInput } from './request.ts';
import { VERSION } from './version.ts';

/** A request that can be sent any number of times. `key` is null for what is no POST. */
export type PreparedRequest = {
  method: string;
  url: string;
  headers: Headers;
  body: string | null;
  key: string | null;
};

/** As the service takes it. */
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;
/** UUIDs and the ids of events. An empty one, or `..`, would name another address. */
const PATH_ID = /^[A-Za-z0-9_-]{1,100}$/;

/**
 * Everything that can be wrong before something is sent is found here. Throws TypeError for an id,
 * a key or a number that can't be one.
 */
export function prepareRequest(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  name: OperationName,
  { ids = [], query, body }: RequestInput<OperationName>,
  givenKey: string | undefined,
): PreparedRequest {
  const [method = '', template = ''] = name.split(' ');
  const key = method === 'POST' ? (givenKey ?? crypto.randomUUID()) : null;
  if (key !== null && !IDEMPOTENCY_KEY.test(key)) {
    throw new TypeError('An idempotency key is 1 to 255 visible ASCII characters, without blanks.');
  }
  const headers = new Headers({ accept: 'application/json', 'user-agent': `trilho-node/${VERSION}` });
  headers.set('x-api-key', apiKey);
  if (key !== null) headers.set('idempotency-key', key);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const url = `${baseUrl}${fillPath(template, ids)}${queryString(query)}`;
  return { method, url, headers, body: body === undefined ? null : JSON.stringify(body, rejectNonFinite), key };
}

function fillPath(template: string, ids: readonly string[]): string {
  const remaining = [...ids];
  return template.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const id = remaining.shift();
    if (typeof id !== 'string' || !PATH_ID.test(id)) throw new TypeError(`${parameter} is not an id: "${String(id)}"`);
    return id;
  });
}

/** Lists are separated by commas, as the document says. */
function queryString(query: object | undefined): string {
  const parameters = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  if (parameters.length === 0) return '';
  return `?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
}

/** JSON would have null in its place, and a part that is null is no part. */
function rejectNonFinite(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${name} is ${value}, not a number.`);
  return value;
}
