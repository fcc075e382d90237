import { randomUUID } from 'node:crypto';
import type { RestError } from '../rest/errors.ts';

/** One request and its fields for the log and the metrics. Handlers fill in what they learn. */
export type RequestContext = {
  /** Goes out as x-request-id and into every log line about the request. */
  requestId: string;
  /** Without query and, for REST, without prefix. */
  path: string;
  query: string;
  /** The route's template, never the path itself: paths hold ids, and what attackers type. */
  route: string;
  accountId: string | undefined;
  /** The valid key that it came with, also where it was rejected for another reason. */
  keyId: string | undefined;
  /** What REST read and answered, for the request log, which masks it; never for another log. */
  requestBody: unknown;
  responseBody: unknown;
  failure: RestError | undefined;
  startedAt: number;
};

export function createRequestContext(url: string): RequestContext {
  const mark = url.indexOf('?');
  return {
    requestId: randomUUID(),
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    route: 'unmatched',
    accountId: undefined,
    keyId: undefined,
    requestBody: undefined,
    responseBody: undefined,
    failure: undefined,
    startedAt: performance.now(),
  };
}
