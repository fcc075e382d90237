import { api } from '#panel/api.tsx';
import { useLiveTransactions } from '#panel/live/use-live-transactions.ts';

/** Where changes do not arrive by themselves they are asked for. */
const POLL_MS = 15_000;

/**
 * Reads cases again when a payment changes, as it does with its case; how often to ask where that
 * does not arrive by itself.
 */
export function useLiveDisputes(): number | false {
  const utils = api.useUtils();
  const refresh = () => void Promise.all([utils.disputes.invalidate(), utils.disputeCase.invalidate()]);
  const isLive = useLiveTransactions({
    onChange: ({ type }) => {
      if (type === 'pix_in') refresh();
    },
    onMissed: refresh,
  });
  return isLive ? false : POLL_MS;
}
