import { processEnvironment } from '#config/environment.ts';
import { readPidFile } from '#config/pid-file.ts';
import { CommandError } from '../context.ts';

/** The API does not answer, or asks for a later retry. */
export class ApiUnavailable extends Error {
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The REST API as an integrator's program has it: an address, and the key of a test account. */
export type ApiClient = {
  base: string;
  apiKey: string;
  /** Returns the whole body. Throws CommandError for a rejected request, and ApiUnavailable. */
  get<T>(path: string, query?: Record<string, string>): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
};

type Rejection = { message?: string; details?: { field: string; message: string }[] };

/** What the API says of a rejected request, and of each field that is wrong. */
const textOf = ({ message, details = [] }: Rejection, status: number): string =>
  [message ?? `HTTP ${status}`, ...details.map((one) => `${one.field}: ${one.message}`)].join(' ');

const TIMEOUT_MS = 15_000;
/** Too many requests, and a service that is restarting or whose database is away. */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * The client of TRILHO_URL, else of the service that runs here, with the key of TRILHO_API_KEY.
 * Throws CommandError without a key, and with a live account's: no command of a developer moves
 * real money.
 */
export function openApiClient(): ApiClient {
  const { apiKey, apiUrl, home, port } = processEnvironment();
  if (apiKey === undefined) {
    throw new CommandError('Set TRILHO_API_KEY to an API key of a test account; "trilho demo" has the demo’s.');
  }
  if (!apiKey.startsWith('tr_test_')) throw new CommandError('TRILHO_API_KEY must be of a test account: tr_test_….');
  return createApiClient(apiUrl ?? `http://localhost:${readPidFile(home)?.port ?? port}`, apiKey);
}

export function createApiClient(base: string, apiKey: string): ApiClient {
  async function ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const response = await fetch(base + path, {
      method,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      // The key is sent to the given address only.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => {
      throw new ApiUnavailable(`${base} does not answer`, null);
    });
    if (LATER.has(response.status)) {
      const seconds = Number(response.headers.get('retry-after'));
      throw new ApiUnavailable(`${base} answered ${response.status}`, seconds > 0 ? seconds * 1_000 : null);
    }
    const answer: unknown = await response.json().catch(() => null);
    const read = typeof answer === 'object' && answer !== null ? answer : {};
    if (!response.ok) throw new CommandError(`${path}: ${textOf(read, response.status)}`);
    // Every answer of the API has its `data`.
    if (!('data' in read)) throw new CommandError(`${base} is not the API of a Trilho: change TRILHO_URL.`);
    return read as T;
  }
  return {
    base,
    apiKey,
    get: (path, query = {}) => ask('GET', `${path}?${new URLSearchParams(query)}`),
    post: (path, body) => ask('POST', path, body),
  };
}
