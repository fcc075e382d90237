import type { OperationName, RequestInput } from './request.ts';
import { VERSION } from './version.ts';

/** A request that can be sent any number of times. `key` is null where it is not a POST. */
export type PreparedRequest = {
  method: string;
  url: string;
  headers: Headers;
  body: string | null;
  key: string | null;
};

/** The form that the service accepts. */
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;
/** UUIDs and the ids of events. An empty text, or `..`, would make another address. */
const PATH_ID = /^[A-Za-z0-9_-]{1,100}$/;

/**
 * Builds a request and checks all that can be wrong before it is sent. Throws TypeError for an
 * invalid id or idempotency key, or a number that is not finite.
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

/** Lists are joined by commas, as the document says. */
function queryString(query: object | undefined): string {
  const parameters = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  if (parameters.length === 0) return '';
  return `?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
}

/** JSON would write null in its place, which counts as an absent field. */
function rejectNonFinite(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${name} is ${value}, not a number.`);
  return value;
}
