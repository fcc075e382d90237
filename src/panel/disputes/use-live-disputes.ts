import { api } from '#panel/api.tsx';
import { useLiveTransactions } from '#panel/live/use-live-transactions.ts';
import { useAfterNextPage } from '#panel/shell/use-after-next-page.ts';

/** How often cases are read again where changes do not arrive by themselves. */
const POLL_MS = 15_000;

/**
 * Reads cases again when a payment changes, because its case changes with it. `list`: one that is
 * shown page by page. Returns the interval of polling in milliseconds; false while changes arrive
 * by themselves.
 */
export function useLiveDisputes(list = { isFetchingNextPage: false }): number | false {
  const utils = api.useUtils();
  const afterNextPage = useAfterNextPage(list);
  const refresh = () => void Promise.all([utils.disputes.invalidate(), utils.disputeCase.invalidate()]);
  const isLive = useLiveTransactions({
    onChange: ({ type }) => {
      if (type === 'pix_in') afterNextPage(refresh);
    },
    onMissed: () => afterNextPage(refresh),
  });
  return isLive ? false : POLL_MS;
}
