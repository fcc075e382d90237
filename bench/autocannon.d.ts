/** The part of autocannon that the bench uses; it brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export type Request = {
    method: 'GET' | 'POST';
    path: string;
    headers?: Record<string, string>;
    body?: string;
    /** Returns the request as it is sent this time. */
    setupRequest?(request: Request): Request;
    onResponse?(status: number, body: string): void;
  };

  /** A connection. */
  export type Client = {
    requestIterator: { requests: readonly Request[] };
    setRequests(requests: readonly Request[]): void;
    /** It ends when it has sent so many requests, with the answer to the last one. */
    responseMax?: number;
  };

  export type Options = {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Milliseconds. */
    sampleInt: number;
    requests: readonly Request[];
    /** Is called with each connection before its first request. */
    setupClient(client: Client): void;
  };

  export type Result = { errors: number; timeouts: number };

  /** Runs at once. Emits `response` (client, status, bytes, milliseconds) for each answer. */
  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): EventEmitter;
}
