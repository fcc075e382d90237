import type { IncomingHttpHeaders } from 'node:http';

/** A request as the route functions see it. */
export type SandboxRequest = {
  headers: IncomingHttpHeaders;
  /** The decoded variable parts of the path, in their order. */
  params: string[];
  /** The query of the path, after the `?`. */
  query: URLSearchParams;
  /** The body as text; throws a Problem above the limit. */
  readBody(): Promise<string>;
};

/**
 * The answer of a route function; `SILENCE` keeps the connection open without an answer, as a PSP
 * that hangs does.
 */
export type Reply = { status: number; body?: unknown } | typeof SILENCE;

export const SILENCE = Symbol('no answer');
