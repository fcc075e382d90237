import { DomainError } from '#domain/errors/domain-error.ts';

/** A stream that can be ended from outside; null ends it without an error. */
type Ending = { end(reason: Error | null): void };

/** Ends the oldest of too many streams, which are given in the order in which they began. */
export function endOldest(streams: readonly Ending[], most: number): void {
  for (const stream of streams.slice(0, Math.max(0, streams.length - most)))
    stream.end(new DomainError('invalid_state'));
}

/**
 * The error with which streams end when the process stops. Nothing more is sent then, which makes
 * an EventSource reconnect (to another process, or to this one when it has been restarted).
 */
export const createStopError = (): Error => new DOMException('The process stops.', 'AbortError');
