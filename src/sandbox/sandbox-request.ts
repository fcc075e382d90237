import type { IncomingHttpHeaders } from 'node:http';

/** A request as the route functions see it. */
export type SandboxRequest = {
  headers: IncomingHttpHeaders;
  /** The decoded variable parts of the path, in their order. */
  params: string[];
  /** What follows the `?` of the path. */
  query: URLSearchParams;
  /** The body as text; throws a Problem above the limit. */
  readBody(): Promise<string>;
};

/**
 * What a route function answers; `SILENCE` keeps the line open without an answer, as a hung PSP
 * does.
 */
export type Reply = { status: number; body?: unknown } | typeof SILENCE;

export const SILENCE = Symbol('no answer');
