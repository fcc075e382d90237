import { useRef, useState } from 'react';
import { type Intention, isUndecided } from './use-idempotency-key.ts';

/** Called with the outcome of a request. */
type Outcomes = {
  onSent: (transactionId: string) => void;
  onError?: (error: unknown) => void;
};

/**
 * Sends a charge or a withdrawal once, however often its button is pressed. `options` are for the
 * mutation. `isUnderway` is true from the press until an error: after a success the page is left.
 */
export function useSendOnce<T>(intention: Intention<T>, { onSent, onError }: Outcomes) {
  const [error, setError] = useState<unknown>(null);
  const [isUnderway, setUnderway] = useState(false);
  // The second press of a double click comes before the button is rendered as busy.
  const underway = useRef(false);
  const start = (isStarted: boolean) => {
    underway.current = isStarted;
    setUnderway(isStarted);
  };
  return {
    error,
    isUnderway,
    options: {
      trpc: { context: intention.context },
      onSuccess({ data }: { data: { transaction_id: string } }) {
        intention.finish();
        onSent(data.transaction_id);
      },
      onError(error: unknown) {
        start(false);
        setError(error);
        // A rejection did nothing; without an answer the same request has to be sent again under
        // the same key.
        if (!isUndecided(error)) intention.renew();
        onError?.(error);
      },
    },
    send(request: T, call: () => void): void {
      if (underway.current) return;
      start(true);
      setError(null);
      intention.send(request);
      call();
    },
  };
}
