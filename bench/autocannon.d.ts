/** The part of autocannon that the bench uses; it brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export type Request = { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string };

  export type Options = {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Milliseconds. */
    sampleInt: number;
    requests: readonly Request[];
  };

  export type Result = { errors: number; timeouts: number };

  /** Runs at once. Emits `response` (client, status, bytes, milliseconds) for each answer. */
  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): EventEmitter;
}
