import type { Pool } from 'undici';
import { parseForeignJson } from '#domain/values/parse-json.ts';
import { sandboxClockHeader } from '../sandbox-clock-header.ts';

/** A request as it goes on the wire; `path` includes the base URL's prefix. */
type WireRequest = {
  method: 'GET' | 'PUT' | 'PATCH' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/**
 * The outcome of one HTTP call.
 * - `answered`: a whole answer came back; `json` is undefined when its body is not JSON.
 * - `silent`: no complete response came back, so it is unknown whether the other side acted.
 *   `mayRepeat`: the cause may be temporary.
 */
export type HttpResult =
  | { kind: 'answered'; status: number; json: unknown }
  | { kind: 'silent'; reason: string; mayRepeat: boolean };

/**
 * Sends one request and reads its whole answer before `deadline`, an instant of `performance.now()`
 * in milliseconds. Never rejects. Redirects are answers like any other: following one would send
 * credentials to an address that is not configured. A reason names an error's code only, because
 * messages can quote what was sent.
 */
export async function sendRequest(pool: Pool, request: WireRequest, deadline: number): Promise<HttpResult> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), Math.max(0, deadline - performance.now()));
  try {
    const headers = { ...request.headers, ...sandboxClockHeader() };
    const response = await pool.request({ ...request, headers, signal: abort.signal });
    const text = await response.body.text();
    return { kind: 'answered', status: response.statusCode, json: parseForeignJson(text) };
  } catch (error) {
    if (abort.signal.aborted) return { kind: 'silent', reason: 'no answer in time', mayRepeat: true };
    const code = codeOf(error);
    // The answer would be as long the next time.
    const mayRepeat = code !== 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
    return { kind: 'silent', reason: `no usable answer (${code})`, mayRepeat };
  } finally {
    clearTimeout(timer);
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
