import type { Operation, Parameter } from './reference.ts';
import { fillIn } from './snippets.ts';

/** An operation for the try-it: as little as it needs, because it goes to the browser. */
export type TryOperation = Pick<Operation, 'id' | 'method' | 'path'> & {
  title: string;
  parameters: (Pick<Parameter, 'name' | 'in'> & { required: boolean; placeholder: string })[];
  /** The example, for editing; null for an operation without a body. */
  body: string | null;
};

export function toTryOperation({ id, method, path, parameters, body }: Operation, title: string): TryOperation {
  return {
    id,
    method,
    path,
    title,
    parameters: parameters.map(({ name, in: where, required = false, example }) => {
      return { name, in: where, required, placeholder: example === undefined ? '' : String(example) };
    }),
    body: body && JSON.stringify(body.example, null, 2),
  };
}

export type TryValues = {
  apiKey: string;
  /** By the parameter's name; an empty one is not sent. */
  parameters: Record<string, string>;
  /** By the operation's id. */
  bodies: Record<string, string>;
};

/**
 * Returns what is wrong with an API key, by its form: `domain/api-keys/api-key-format.ts` needs
 * Node to check the rest. Null for a test key, the only kind that the page sends. Any other text
 * with `live` in it counts as a live key, even mistyped or incomplete.
 */
export function keyIssue(text: string): 'noKey' | 'liveKey' | 'otherKey' | null {
  const key = text.trim();
  if (key === '') return 'noKey';
  if (/^[a-z]+_test_[0-9A-Za-z]{36}$/.test(key)) return null;
  return /live/i.test(key) ? 'liveKey' : 'otherKey';
}

/** Returns what is wrong with what was entered, by its path in the values. */
export function tryIssues({ id, parameters, body }: TryOperation, values: TryValues) {
  const ofKey = keyIssue(values.apiKey);
  const missing = parameters.filter(({ name, required }) => required && !values.parameters[name]?.trim());
  return {
    ...(ofKey && { apiKey: ofKey }),
    ...Object.fromEntries(missing.map(({ name }) => [`parameters.${name}`, 'missing' as const])),
    ...(body !== null && !isJsonObject(values.bodies[id] ?? '') && { [`bodies.${id}`]: 'badJson' as const }),
  };
}

/** Whether a text is a JSON object, the only body that the API takes. */
function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** How long a request waits for a response. */
const TIMEOUT_MS = 30_000;

/** The headers that are useful in the try-it. */
const HEADERS_SHOWN = [
  'x-request-id',
  'x-api-version',
  'idempotent-replayed',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
];

export type TryAnswer = { status: number; ms: number; headers: [name: string, value: string][]; body: string };

/** Sends the request to this page's own origin. Returns null where no response comes in time. */
export async function sendTry(operation: TryOperation, values: TryValues): Promise<TryAnswer | null> {
  const { url, init } = toRequest(operation, values);
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await response.text();
    const ms = Math.round(performance.now() - startedAt);
    const headers = HEADERS_SHOWN.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return { status: response.status, ms, headers, body: pretty(body) };
  } catch {
    return null;
  }
}

/** Builds the request. The key goes into a header and nowhere else. */
function toRequest({ id, method, path, parameters, body }: TryOperation, values: TryValues) {
  const given = parameters.map((parameter) => ({
    ...parameter,
    value: values.parameters[parameter.name]?.trim() ?? '',
  }));
  const { url, headers } = fillIn(
    path,
    given.filter(({ value }) => value !== ''),
  );
  const init: RequestInit = {
    method,
    headers: {
      'x-api-key': values.apiKey.trim(),
      ...(body !== null && { 'content-type': 'application/json' }),
      ...Object.fromEntries(headers),
    },
    ...(body !== null && { body: values.bodies[id] ?? '' }),
    // The browser sends nothing of its own along, and stores nothing.
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  };
  return { url, init };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
