import { onlineManager, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-page.ts';
import { type AskError, askPayment } from './payment-client.tsx';
import { type Knowledge, pollInterval } from './polling.ts';

/** A single lost answer is nothing to tell the payer about. */
const UNSTEADY_AFTER_MS = 4_000;

/** What the hook and react-query's own state have in common, and all that is needed to say what the page knows. */
type Answers = {
  data: PaymentPageData | undefined;
  error: { data?: { code: string } | null | undefined } | null;
  errorUpdateCount: number;
};

/**
 * Follows one charge until nothing can change any more. `receivedAt` is this device's time, in milliseconds, when `charge`
 * arrived; `trouble` says why a charge that is shown may be stale.
 */
export function usePayment(transactionId: string) {
  const query = useQuery<PaymentPageData, AskError>({
    queryKey: ['payment', transactionId],
    queryFn: () => askPayment(transactionId),
    // Polling is the retry.
    retry: false,
    refetchInterval: ({ state }) => pollInterval(knowledgeOf(state), state.status === 'error'),
    // Coming back from the bank's app is when the answer is wanted most: do not wait for the next interval.
    refetchOnWindowFocus: ({ state }) => (pollInterval(knowledgeOf(state), false) === false ? false : 'always'),
    refetchOnReconnect: ({ state }) => (pollInterval(knowledgeOf(state), false) === false ? false : 'always'),
  });
  const online = useSyncExternalStore(onlineManager.subscribe, isOnline, () => true);
  const knowledge = knowledgeOf(query);
  const watching = pollInterval(knowledge, false) !== false;
  const unsteady = query.isRefetchError && query.errorUpdatedAt - query.dataUpdatedAt > UNSTEADY_AFTER_MS;
  const trouble = !watching ? null : online ? (unsteady ? 'unsteady' : null) : 'offline';
  return { knowledge, charge: query.data, receivedAt: query.dataUpdatedAt, trouble, askAgain: query.refetch } as const;
}

function knowledgeOf({ data, error, errorUpdateCount }: Answers): Knowledge {
  if (data) return data.status;
  if (error?.data?.code === 'NOT_FOUND' || error?.data?.code === 'BAD_REQUEST') return 'unknown';
  // react-query forgets the error while it asks again; the reader should not see the page blink.
  return errorUpdateCount > 0 ? 'unreachable' : 'loading';
}

function isOnline(): boolean {
  return onlineManager.isOnline();
}
