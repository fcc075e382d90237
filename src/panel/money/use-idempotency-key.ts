import { useEffect, useRef, useState } from 'react';
import { dropKept, keep, readKept } from '#panel/drafts/kept.ts';
import { useOwner } from '#panel/drafts/use-draft.ts';
import { isUnknownProcedure, reasonOf } from '#panel/shell/call-error.ts';

/** Errors after which it is not known whether this very request was carried out. */
const UNDECIDED = new Set([null, 'idempotency_key_running', 'unavailable', 'internal']);

/** Whether a request that ended with this error may have been carried out all the same. */
export const isUndecided = (error: unknown): boolean => UNDECIDED.has(reasonOf(error)) && !isUnknownProcedure(error);

export type Intention<T> = {
  /** For the `trpc.context` of the calls that carry it out. */
  context: { readonly idempotencyKey: string };
  /** What was sent and has no answer that decides it; null: nothing. */
  unanswered: T | null;
  /**
   * To be called before a request goes out: what is unanswered goes again under its key, anything
   * else under a new one.
   */
  send(request: T): void;
  /** It is carried out: the page is about to be left. */
  finish(): void;
  /** It was rejected, or the member gives it up: what is sent next is something else. */
  renew(): void;
};

/**
 * The name of one intention: however often it is sent, by a double click or because the answer got
 * lost, it is carried out once. From the moment when it is sent it is kept in this tab with what
 * was sent, so that a reload does not make a second intention of it.
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
  // Asked when a call goes out, which may be before what was sent is drawn.
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
