import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect } from 'react';
import type { LiveMessage } from '#contract/transactions/live-input.ts';
import { api } from '#panel/api.tsx';
import { reasonOf } from '#panel/shell/call-error.ts';

/**
 * After a rejection (the process ends, too many tabs) the stream is opened again this much later.
 */
const AGAIN_MS = 10_000;

/**
 * Of this document: what it came with was read before its first stream began, and something may
 * have changed since.
 */
let hasFirstStream = false;

/**
 * Calls back for every transaction of the account as it is created or changes, and `onMissed` when
 * more may have changed than was reported: read the list again. True while changes arrive by
 * themselves; ask for them otherwise. A hidden tab holds no connection: browsers have six of them
 * for a whole site.
 */
export function useLiveTransactions(options: {
  onChange: (transaction: Extract<LiveMessage, { kind: 'transaction' }>['transaction']) => void;
  onMissed: () => void;
}): boolean {
  const visible = useDocumentVisibility() === 'visible';
  const { status, error, reset } = api.live.transactions.useSubscription(
    {},
    {
      enabled: visible,
      onStarted() {
        if (hasFirstStream) return;
        hasFirstStream = true;
        options.onMissed();
      },
      onData({ data }) {
        if (data.kind === 'transaction') options.onChange(data.transaction);
        else options.onMissed();
      },
    },
  );
  const ended = status === 'error' || status === 'idle';
  const signedOut = reasonOf(error) === 'not_signed_in';
  useEffect(() => {
    if (!visible || !ended || signedOut) return;
    const timer = setTimeout(reset, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [visible, ended, signedOut, reset]);
  return status === 'pending';
}
