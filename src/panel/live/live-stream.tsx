import { useDocumentVisibility } from '@mantine/hooks';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef } from 'react';
import type { LiveMessage } from '#contract/transactions/live-input.ts';
import { api } from '#panel/api.tsx';
import { reasonOf } from '#panel/shell/call-error.ts';
import { usePanel } from '#panel/shell/use-panel.ts';

/**
 * How long to wait until a stream that was rejected (the process ends, too many tabs, another
 * session) is opened again.
 */
const AGAIN_MS = 10_000;

/**
 * A page that opens gets the messages of this time: its data may have been read before them. Longer
 * than a page takes to open.
 */
const RECENT_MS = 20_000;

/** `opened`: the first stream of the document has begun. */
export type TabMessage = LiveMessage | { kind: 'opened' };

type Listener = (message: TabMessage) => void;

type Live = {
  /** Whether changes arrive by themselves. */
  isLive: boolean;
  /**
   * Calls back with every message, those of the last seconds first; returns the function that ends
   * it.
   */
  listen(listener: Listener): () => void;
};

const LiveContext = createContext<Live | null>(null);

/** Returns the page's stream; see LiveStream. Throws outside of one. */
export function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('useLive is for pages inside the panel’s shell.');
  return live;
}

/**
 * Whether this document has had a stream: what it came with was read before its first stream began,
 * and something may have changed since.
 */
let hasFirstStream = false;

/**
 * The one stream of a tab, for everything in it that listens. A hidden tab holds no connection,
 * because browsers have six of them for a whole site.
 */
export function LiveStream({ children }: { children: ReactNode }) {
  const visible = useDocumentVisibility() === 'visible';
  const listeners = useRef(new Set<Listener>());
  const recent = useRef<{ at: number; message: TabMessage }[]>([]);
  const emit = (message: TabMessage) => {
    for (const listener of listeners.current) listener(message);
  };
  const utils = api.useUtils();
  const { account_id: account } = usePanel().me;
  const { status, reset } = api.live.transactions.useSubscription(
    { account },
    {
      enabled: visible,
      onStarted() {
        // Neither is stored: a page that opens from now on reads what it shows after this. A later
        // stream does not report what came long before it.
        emit({ kind: hasFirstStream ? 'resync' : 'opened' });
        hasFirstStream = true;
      },
      onData({ data }) {
        const at = performance.now();
        recent.current = [...recent.current.filter((one) => one.at > at - RECENT_MS), { at, message: data }];
        emit(data);
      },
      // Its session has ended, was replaced, or acts for another merchant: the answer to a call
      // says which, and leaves the page where it has to.
      onError(error) {
        const reason = reasonOf(error);
        if (reason === 'not_signed_in' || reason === 'other_account') void utils.session.me.invalidate();
      },
    },
  );
  const ended = status === 'error' || status === 'idle';
  useEffect(() => {
    if (!visible || !ended) return;
    const timer = setTimeout(reset, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [visible, ended, reset]);
  const isLive = status === 'pending';
  const listen = useCallback((listener: Listener) => {
    const since = performance.now() - RECENT_MS;
    for (const { at, message } of recent.current) if (at > since) listener(message);
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);
  const live = useMemo<Live>(() => ({ isLive, listen }), [isLive, listen]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
