import { useEffect, useRef, useState } from 'react';
import { dropKept, keep, readKept } from '#panel/drafts/kept.ts';
import { useOwner } from '#panel/drafts/use-draft.ts';
import { isUnknownProcedure, reasonOf } from '#panel/shell/call-error.ts';

/** Errors that leave it open whether this very request was carried out. */
const UNDECIDED = new Set([null, 'idempotency_key_running', 'unavailable', 'internal']);

/** Whether a request that ended with this error may have been carried out. */
export const isUndecided = (error: unknown): boolean => UNDECIDED.has(reasonOf(error)) && !isUnknownProcedure(error);

export type Intention<T> = {
  /** For the `trpc.context` of the calls that carry it out. */
  context: { readonly idempotencyKey: string };
  /** The request that was sent and has no decisive answer; null: none. */
  unanswered: T | null;
  /**
   * Call it before a request is sent: an unanswered one is sent again under its key, any other
   * under a new one.
   */
  send(request: T): void;
  /** Call it when the request is carried out: the page is about to be left. */
  finish(): void;
  /**
   * Call it when the request was rejected, or the member gives it up: the next one gets a new key.
   */
  renew(): void;
};

/**
 * The idempotency key of one intention: however often it is sent, by a double click or because the
 * answer got lost, it is carried out once. Once it is sent, the key is kept in this tab with the
 * request, so that a reload does not make a second intention of it.
 */
export function useIdempotencyKey<T>(name: string): Intention<T> {
  const owner = useOwner();
  const place = `sent ${name}`;
  const key = useRef<string | null>(null);
  const [unanswered, setUnanswered] = useState<T | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once; afterwards what is kept is what is here.
  useEffect(() => {
    const kept = readKept(owner, place) as { key: unknown; request: T } | null;
    if (typeof kept?.key !== 'string') return;
    key.current = kept.key;
    setUnanswered(kept.request);
  }, []);
  // Read when a call is sent, which may be before the sent request is rendered.
  const [context] = useState(() => ({
    get idempotencyKey() {
      key.current ??= newKey();
      return key.current;
    },
  }));
  return {
    context,
    unanswered,
    send(request) {
      if (JSON.stringify(request) !== JSON.stringify(unanswered)) key.current = newKey();
      keep(owner, place, { key: context.idempotencyKey, request });
      setUnanswered(request);
    },
    finish: () => dropKept(owner, place),
    renew() {
      dropKept(owner, place);
      key.current = null;
      setUnanswered(null);
    },
  };
}

/** Not `randomUUID`: a page that is served by plain http does not have it. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
