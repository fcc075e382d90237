import { useDocumentVisibility } from '@mantine/hooks';
import { onlineManager, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { followPayment } from './follow-payment.ts';
import { type AskError, askPayment, paymentKey } from './payment-client.tsx';
import { canChange, pollInterval, type ViewState } from './polling.ts';

/**
 * After this time without an answer the payer is warned: a single lost response is not worth a
 * message.
 */
const UNSTEADY_AFTER_MS = 4_000;

/**
 * The fields of a query's result and of react-query's own state that decide what the page shows.
 */
type Answers = {
  data: PaymentPageData | undefined;
  error: { data?: { code: string } | null | undefined } | null;
  errorUpdateCount: number;
};

/**
 * Follows one charge until nothing can change any more. `receivedAt` is this device's time, in
 * milliseconds, when `charge` arrived; `trouble` says why a charge that is shown may be stale.
 */
export function usePayment(transactionId: string) {
  const [isLive, setLive] = useState(false);
  const query = useQuery<PaymentPageData, AskError>({
    queryKey: paymentKey(transactionId),
    queryFn: () => askPayment(transactionId),
    // Polling is the retry.
    retry: false,
    refetchInterval: ({ state }) => !isLive && pollInterval(viewStateOf(state)),
    // The stream begins with the current state whenever the page opens, is visible again or is
    // online again.
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const online = useSyncExternalStore(onlineManager.subscribe, isOnline, () => true);
  const viewState = viewStateOf(query);
  const watching = canChange(viewState);
  useStream(transactionId, watching && online, setLive);
  const unsteady = query.isRefetchError && query.errorUpdatedAt - query.dataUpdatedAt > UNSTEADY_AFTER_MS;
  const trouble = !watching ? null : online ? (unsteady ? 'unsteady' : null) : 'offline';
  return { viewState, charge: query.data, receivedAt: query.dataUpdatedAt, trouble, askAgain: query.refetch } as const;
}

/** A hidden tab holds no connection, because browsers have six of them for a whole site. */
function useStream(transactionId: string, enabled: boolean, setLive: (isLive: boolean) => void): void {
  const client = useQueryClient();
  const follows = useDocumentVisibility() === 'visible' && enabled;
  useEffect(() => {
    if (!follows) return;
    const queryKey = paymentKey(transactionId);
    const end = followPayment(transactionId, {
      onLive: setLive,
      onPage(page) {
        // An answer that is still on its way is older.
        void client.cancelQueries({ queryKey });
        client.setQueryData(queryKey, page);
      },
    });
    return () => {
      end();
      setLive(false);
    };
  }, [client, transactionId, follows, setLive]);
}

function viewStateOf({ data, error, errorUpdateCount }: Answers): ViewState {
  if (data) return data.status;
  if (error?.data?.code === 'NOT_FOUND' || error?.data?.code === 'BAD_REQUEST') return 'unknown';
  // react-query clears the error while it retries; the page must not change in between.
  return errorUpdateCount > 0 ? 'unreachable' : 'loading';
}

function isOnline(): boolean {
  return onlineManager.isOnline();
}
